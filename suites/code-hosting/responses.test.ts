import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Inconclusive } from '../../lib/conformance/check-errors.ts'
import { isFailedExpectation } from '../../lib/conformance/deviations.ts'
import {
  BASE_URL,
  exchangeWith,
  type StubResponse,
} from '../../lib/conformance/exchange.fixture.ts'
import { anyText, textOf } from '../../lib/environment/arbitrary-text.fixture.ts'
import { expect as expectResponse, originOf, requireDocumentation } from './matchers.ts'

const elsewhere = exchangeWith({ status: 404, text: 'not found' }, '/api/nothing')

const moved = { status: 302, headers: { location: 'https://docs.example.com/api' } }
const signInPages = ['/user/login', '/sign-in', '/users/sign_in/', '/auth/login.html']

it.each<[path: string, StubResponse]>([
  ['/api/swagger', moved],
  ...signInPages.map((path): [string, StubResponse] => [path, { text: '<form>' }]),
])('requireDocumentation is inconclusive for %s: %j', (path, response) => {
  const documentation = exchangeWith(response, path)
  expect(() => requireDocumentation(documentation, elsewhere, BASE_URL)).toThrow(Inconclusive)
})

describe('toLinkToDocumentation', () => {
  /** Returns true if the matcher accepts the link. */
  function isAccepted(url: unknown): boolean {
    try {
      expectResponse(exchangeWith({ json: { url } })).toLinkToDocumentation()
      return true
    } catch (error) {
      if (isFailedExpectation(error)) return false
      throw error
    }
  }

  it('rejects texts without the path', () => {
    const parts = textOf(...'/ api swagger https: // x.test ? # .. %2f :'.split(' '))
    fc.assert(
      fc.property(fc.oneof(anyText, parts), (url) => {
        if (isAccepted(url)) expect(decodeURI(url).replace(/\s/g, '')).toMatch(/api[/\\]swagger/)
        const origin = originOf(url)
        if (origin !== undefined && origin !== 'relative') expect(URL.canParse(url)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})
