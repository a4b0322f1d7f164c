import { describe, expect, it } from 'vitest'
import { FailedExpectation } from '../../lib/conformance/deviations.ts'
import { errorOf } from '../../lib/conformance/exchange.fixture.ts'
import { runCheck } from '../../lib/conformance/run-check.ts'
import type { Reading } from './lists.ts'
import { expect as expectExchange } from './matchers.ts'
import { expectWalk } from './pagination.suite.ts'
import {
  type Change,
  contextWith,
  listResponse,
  MAXIMUM,
  repositoryListOf,
  repositoryNames,
} from './service.fixture.ts'

const pageIn = (url: URL) => Number(url.searchParams.get('page') ?? 1)
const pageOf = (names: readonly string[]) => names.map((full_name) => ({ full_name }))
const truncated = { reason: { kind: 'settings', variables: ['PROBE_MAX_PAGES'] } }
const verdict = (check: () => Promise<void>) => runCheck('any', check)

describe('a long list', () => {
  const endless =
    (json: (url: URL) => string[]): Change =>
    (_, url) => ({ json: pageOf(json(url)), headers: { 'X-Total-Count': '12' } })

  it.each<[string, Change, number]>([
    [
      'the first items',
      (_, url) => listResponse(repositoryNames(400), new URL('?limit=5', url)),
      100,
    ],
    ['other items', endless((url) => [1, 2, 3, 4, 5].map((n) => `maria/${pageIn(url)}-${n}`)), 100],
    ['one other item', endless((url) => [`maria/${url.search}`]), 20],
  ])('without an end, with %s on every page, is not whole', async (_, change, length) => {
    const { list, sent } = repositoryListOf(0, { change, maxPages: 20 })
    const { itemsByPage, ...read } = await list.all()
    expect(itemsByPage.flat()).toHaveLength(length)
    expect(read.length).toBeUndefined()
    const text = expect.stringMatching(/^20 pages /)
    expect(await errorOf(() => list.requireComplete())).toHaveProperty('reason.text', text)
    expect(sent.length).toBeLessThan(50)
  })

  it('is truncated after the maximum number of pages', async () => {
    const { list, names, sent } = repositoryListOf(10_000)
    const error = await errorOf(() => list.requireComplete())
    expect(error).toMatchObject(truncated)
    expect(error).toHaveProperty('reason.text', expect.stringMatching(/^100 pages /))
    expect([...(await list.all()).names]).toEqual(names.slice(0, 500))
    expect(sent).toHaveLength(101)
  })
})

it.each([
  ['X-Page', 1],
  // A list that grows gets links.
  ['Link', 3],
])('a missing %s is judged %i times', async (name, times) => {
  const { codeHosting, lists } = contextWith()
  let judged = 0
  const judge = async () => {
    judged += 1
    expectExchange(await codeHosting.settings()).toHaveHeader(name)
  }
  expect(await errorOf(() => lists.stable('main', judge))).toBeInstanceOf(FailedExpectation)
  expect(judged).toBe(times)
})

describe('expectWalk', () => {
  const walk = (list: Reading, query = {}) => verdict(() => expectWalk(list, query))

  it('visits the first pages with another limit, and adds a note', async () => {
    const { list, sent } = repositoryListOf(500)
    const notes = [expect.stringContaining('first 30 pages')]
    expect(await walk(list)).toMatchObject({ verdict: 'pass', notes })
    expect(sent.length).toBeLessThan(40)
  })

  it('is inconclusive if the list has too many pages', async () => {
    const { list } = repositoryListOf(500, { maxPages: 12 })
    expect(await walk(list, { limit: MAXIMUM })).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: {
        variables: ['PROBE_MAX_PAGES'],
        text: expect.stringMatching(/^12 pages /),
      },
    })
  })
})
