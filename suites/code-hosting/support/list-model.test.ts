import { describe, expect, it } from 'vitest'
import { areItemsOf, expectedPage, type ReadList } from './list-model.ts'

const sizes = { maxResponseItems: 4, defaultPagingNum: 3 }
const whole: ReadList = {
  itemsByPage: [['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h'], ['i']],
  isWhole: true,
}

describe('expectedPage of nine items', () => {
  it.each([
    [{}, 1, 3, 'abc', 'next last'],
    [{ page: 2 }, 2, 3, 'def', 'next last first prev'],
    [{ limit: 0, page: 3 }, 3, 3, 'ghi', 'first prev'],
    [{ limit: -5 }, 1, 3, 'abc', 'next last'],
    [{ limit: 4, page: 2 }, 2, 4, 'efgh', 'next last first prev'],
    [{ limit: 5, page: 3 }, 3, 4, 'i', 'first prev'],
    [{ limit: '9223372036854775807', page: 0 }, 1, 4, 'abcd', 'next last'],
    [{ limit: 1, page: -9 }, 1, 1, 'a', 'next last'],
    [{ limit: 4, page: '9007199254740991' }, 9007199254740991, 4, '', 'first prev'],
  ])('returns for %j number %i, size %i and items %j', (query, number, size, items, links) => {
    const page = expectedPage(whole, query, sizes)
    expect(page).toMatchObject({ number, size, items: [...items] })
    expect([...(page?.links.keys() ?? [])].join(' ')).toBe(links)
    expect(page?.hasMore).toBe(links.includes('next'))
  })

  it('returns the targets of all relation types', () => {
    const links = expectedPage(whole, { limit: 2, page: 3 }, sizes)?.links
    expect(Object.fromEntries(links ?? [])).toEqual({ next: 4, last: 5, first: 1, prev: 2 })
  })

  it('returns undefined beyond the pages that were read', () => {
    const part = { ...whole, isWhole: false }
    expect(expectedPage(part, { limit: 4, page: 2 }, sizes)).toMatchObject({ hasMore: true })
    expect(expectedPage(part, { limit: 4, page: 2 }, sizes)?.links.has('last')).toBe(false)
    expect(expectedPage(part, { limit: 4, page: 3 }, sizes)).toBeUndefined()
  })
})

it.each([
  ['def', true],
  ['fed', true],
  ['efg', false],
  ['deg', true],
  ['de', false],
  ['dee', false],
  ['bef', true],
])('areItemsOf for %j and items 4 to 6 of two pages in any order: %s', (items, expected) => {
  const page = expectedPage(whole, { page: 2 }, sizes)
  expect(page && areItemsOf(whole, page, [...items])).toBe(expected)
})
