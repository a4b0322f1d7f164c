import fc from 'fast-check'
import { describe, it } from 'vitest'
import { exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { isFailedExpectation } from '../../../lib/conformance/judgement.ts'
import { anyText, longTexts, textOf } from '../../../lib/environment/arbitrary-text.fixture.ts'
import { requireDocumentation } from './documentation.ts'
import { documentationUrl, originOf } from './exchanges.ts'
import { expect } from './matchers.ts'

const links = fc.oneof(
  anyText,
  textOf('/', 'api', 'swagger', 'https:', '//', 'x.test', '?', '#', '..', '%2f', ':', '@', ' '),
)

/** Whether the matcher takes the link; any other error than a failed expectation is thrown. */
function isTaken(url: unknown): boolean {
  try {
    expect(exchangeWith({ json: { url } })).toLinkToDocumentation()
    return true
  } catch (error) {
    if (isFailedExpectation(error)) return false
    throw error
  }
}

describe('a link to the documentation', () => {
  it('is taken wherever it leads to the path, by any origin, prefix, query and fragment', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,8}$/)
    fc.assert(
      fc.property(fc.array(segment), fc.webQueryParameters(), (prefix, query) => {
        const path = [...prefix.map((part) => `/${part}`), '/api/swagger'].join('')
        for (const url of [path, `https://x.test${path}`, `//x.test:8080${path}/`]) {
          expect(isTaken(`${url}?${query}#a`)).toBe(true)
          expect(isTaken(`${url}-of-another?${query}`)).toBe(false)
        }
      }),
      { numRuns: 80 },
    )
  })

  it('of any text is taken only where it has the words of the path', () => {
    fc.assert(
      fc.property(links, (url) => {
        if (isTaken(url)) expect(decodeURI(url).replace(/\s/g, '')).toMatch(/api[/\\]swagger/)
        const exchange = exchangeWith({ json: { url } })
        expect(documentationUrl(exchange)).toBe(url)
        const origin = originOf(url)
        if (origin !== undefined && origin !== 'relative') expect(URL.canParse(url)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it('may be long', () => {
    for (const text of longTexts('/', '/api', '%', '.', '../', '@', ':', '?', '/sign-', '/log_')) {
      expect(isTaken(`${text}/x`)).toBe(false)
      const elsewhere = exchangeWith({ status: 404 })
      const page = exchangeWith({ text }, `/${text.replaceAll('@', '')}`)
      expect(() => requireDocumentation(page, elsewhere)).not.toThrow()
    }
  })
})
