import { describe, expect, it } from 'vitest'
import type { EntryParts } from '../../../lib/conformance/recording/har-entry.fixture.ts'
import type { CheckResult } from '../../../lib/results/run-evidence.ts'

import { all, BASE_URL, bearer, error, judged, listPage } from './recorded.fixture.ts'

const { Link: _, ...withoutLink } = listPage(1, 10).headers ?? {}

describe('recorded pages', () => {
  it('conform', async () => {
    const { failing, verdictsOf } = await judged([
      listPage(1, 25),
      listPage(2, 25),
      listPage(2, 10),
    ])
    expect(failing).toEqual([])
    for (const name of ['page-header', 'link-form', 'link-targets']) {
      expect(verdictsOf(`pagination/${name}`)).toContain('pass')
    }
    // Only the number of items is known.
    expect(verdictsOf('pagination/limit-honoured')).toEqual(['skipped'])
    expect(verdictsOf('pagination/walk')).toEqual(['skipped'])
  })

  /** All pages of the list, the page past its end, and other ones before the list is read again. */
  const whole = (...others: EntryParts[]) => [
    ...[1, 2, 3].map((page) => listPage(page, 25)),
    ...others,
    listPage(1, 25),
  ]

  it.each<[string, EntryParts]>([
    ['limit-honoured', { ...listPage(1, 10), body: all.slice(0, 5) }],
    ['page-below-one', { ...listPage(2, 25), url: '/user/repos?page=0&limit=25' }],
    ['past-the-end', { ...listPage(1, 25), url: '/user/repos?page=9&limit=25' }],
    ['total-count', listPage(1, 10, { 'X-Total-Count': '' })],
    [
      'short-page-is-not-the-end',
      { ...listPage(1, 25, { 'X-HasMore': 'false' }), url: '/user/repos?limit=1000' },
    ],
  ])('deviate from %s beside the whole list only', async (name, parts) => {
    expect((await judged(whole(parts))).failing).toEqual([`pagination/${name}`])
    expect((await judged([parts])).failing).toEqual([])
    // Another client may have changed the order.
    expect((await judged([...whole().slice(0, -1), parts])).failing).toEqual([])
    const moved = { ...listPage(1, 25), body: all.slice(1, 26) }
    expect((await judged([...whole(parts), moved])).failing).toEqual([])
  })

  it('are judged by their own numbers if the list is not recorded', async () => {
    const { failing, verdictsOf } = await judged([
      listPage(2, 25),
      { ...listPage(1, 25), url: '/user/repos?page=0&limit=25' },
    ])
    expect(failing).toEqual([])
    expect(verdictsOf('pagination/page-below-one')).toEqual(['pass'])
  })

  it('are compared without X-HasMore, and beside a rejected request', async () => {
    const pages = [1, 2].map((number) => {
      const { headers: { 'X-HasMore': _, ...headers } = {}, ...page } = listPage(number, 10)
      return { ...page, headers }
    })
    const { failing, verdictsOf } = await judged([{ ...error(403), url: '/user/repos' }, ...pages])
    expect(new Set(failing)).toEqual(new Set(['pagination/has-more-header']))
    expect(verdictsOf('pagination/link-targets')).toContain('pass')
  })

  it('are judged by the limit if it is rejected, and another one is not', async () => {
    const url = '/user/repos?limit=1000&page=1'
    const rejected = { ...error(422), url, sent: bearer('unknown') }
    const { failing } = await judged([listPage(1, 25), rejected])
    expect(failing).toEqual(['pagination/limit-lowered'])
    expect((await judged([rejected])).failing).toEqual([])
  })

  it('of a limit beyond 63 bits show no page', async () => {
    const url = '/user/repos?limit=9223372036854775808'
    const { verdictsOf } = await judged(whole({ ...listPage(1, 25), url }))
    expect(verdictsOf('pagination/first-page-default')).toEqual(['skipped'])
  })

  it('of different totals are not compared', async () => {
    const other = listPage(2, 10, { 'X-Total-Count': '31', 'X-Page': '1' })
    const { failing, verdictsOf } = await judged(whole(other))
    expect(failing).toEqual([])
    expect(verdictsOf('pagination/page-header')).toContain('skipped')
  })

  it.each<[string, EntryParts]>([
    ['page-header', listPage(2, 10, { 'X-Page': '1' })],
    ['per-page-header', listPage(2, 10, { 'X-PerPage': '25' })],
    ['link-when-several-pages', { ...listPage(1, 10), headers: withoutLink }],
    [
      'link-relations',
      listPage(2, 10, { Link: `<${BASE_URL}/api/v1/user/repos?limit=10&page=3>; rel="next"` }),
    ],
    ['limit-lowered', { ...listPage(1, 30), headers: {}, body: all }],
    [
      'limit-not-positive',
      { ...listPage(1, 30), url: '/user/repos?limit=0', headers: {}, body: all },
    ],
    ['default-limit', { ...listPage(1, 30), url: '/user/repos', headers: {}, body: all }],
  ])('deviate from %s', async (name, parts) => {
    expect((await judged([parts])).failing).toContain(`pagination/${name}`)
  })

  it('repeat an item only if nothing changed the list between them', async () => {
    const second = { ...listPage(2, 25), body: all.slice(24, 29) }
    const id = 'pagination/walk'
    const created: EntryParts = { method: 'POST', url: '/user/repos', status: 201 }
    expect((await judged([listPage(1, 25), second])).failing).toEqual([id])
    expect((await judged([listPage(1, 25), created, second])).failing).toEqual([])
    expect((await judged([listPage(1, 25), { ...second, sent: bearer('other') }])).failing).toEqual(
      [],
    )
    expect((await judged([listPage(1, 25), { ...second, at: 60 }])).failing).toEqual([])
    const counted = { ...second.headers, 'X-Total-Count': '31' }
    expect((await judged([listPage(1, 25), { ...second, headers: counted }])).failing).toEqual([])
  })

  it('have no verdict with parameters that are not stated', async () => {
    for (const query of ['limit=abc', 'limit=1e1', 'page=1&page=2', 'limit=5&sort=name']) {
      const { results } = await judged([{ ...listPage(1, 30), url: `/user/repos?${query}` }])
      const isJudged = ({ requirement, verdict }: CheckResult) =>
        requirement.includes('/pagination/limit') && verdict !== 'skipped'
      expect(results.filter(isJudged)).toEqual([])
    }
  })
})
