import { describe, expect, it } from 'vitest'
import { isFailedExpectation } from './deviations.ts'
import { BASE_URL, errorOf, exchangeWith } from './exchange.fixture.ts'
import { CutShort, followNext, untilSettled } from './lists.ts'
import { Inconclusive } from './outcome.ts'

const PATH = '/v1/things'

/** Follows a list of which each page has this `Link`, and returns the requested URLs too. */
function follow(links: readonly (string | undefined)[], maxPages = 10) {
  const requested: string[] = []
  const pages = followNext({
    baseUrl: BASE_URL,
    path: PATH,
    maxPages,
    page: async ({ href }) => {
      const link = links[requested.length]
      requested.push(href.slice(BASE_URL.length))
      return exchangeWith({ headers: link === undefined ? {} : { Link: `<${link}>; rel="next"` } })
    },
  })
  return { pages, requested }
}

describe('followNext', () => {
  it('visits every page, at the base URL whatever address the server has for itself', async () => {
    const { pages, requested } = follow([`${PATH}?page=2`, `https://inside${PATH}?page=3`])
    expect(await pages).toHaveLength(3)
    expect(requested).toEqual([PATH, `${PATH}?page=2`, `${PATH}?page=3`])
  })

  it.each([
    ['the same page', [PATH]],
    ['a page that was visited', [`${PATH}?page=2`, PATH]],
  ])('fails for a link to %s', async (_, links) => {
    const { pages, requested } = follow(links)
    expect(await errorOf(() => pages)).toSatisfy(isFailedExpectation)
    expect(requested).toHaveLength(links.length)
  })

  it('reads no more pages than allowed', async () => {
    const { pages, requested } = follow(['?page=2', '?page=3', '?page=4'], 2)
    expect(await errorOf(() => pages)).toBeInstanceOf(CutShort)
    expect(requested).toHaveLength(2)
  })
})

describe('untilSettled', () => {
  const failure = Object.assign(new Error(), { expected: '', actual: '' })

  it('checks again what has changed, and believes what has not', async () => {
    const checked: number[] = []
    const check = async (attempt: number) => {
      checked.push(attempt)
      throw failure
    }
    const error = await errorOf(() => untilSettled('it', check, async () => checked.length < 2))
    expect([checked, error]).toEqual([[0, 1], failure])
  })

  it('ends without a verdict if the data change in each attempt', async () => {
    const error = await errorOf(() =>
      untilSettled(
        'it',
        async () => {},
        async () => true,
      ),
    )
    expect(error).toBeInstanceOf(Inconclusive)
  })
})
