import { expect, it } from 'vitest'
import { areItemsOf, expectedPage, type ReadList } from './pages.ts'

const sizes = { maxResponseItems: 4, defaultPagingNum: 3 }
const whole: ReadList = {
  itemsByPage: [['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h'], ['i']],
  length: 9,
}

it.each([
  [{}, 1, 3, 'abc', 'next2 last3'],
  [{ page: 2 }, 2, 3, 'def', 'next3 last3 first1 prev1'],
  [{ limit: 0, page: 3 }, 3, 3, 'ghi', 'first1 prev2'],
  [{ limit: -5 }, 1, 3, 'abc', 'next2 last3'],
  [{ limit: 2, page: 3 }, 3, 2, 'ef', 'next4 last5 first1 prev2'],
  [{ limit: 4, page: 2 }, 2, 4, 'efgh', 'next3 last3 first1 prev1'],
  [{ limit: 5, page: 3 }, 3, 4, 'i', 'first1 prev2'],
  [{ limit: '9223372036854775807', page: 0 }, 1, 4, 'abcd', 'next2 last3'],
  [{ limit: 1, page: -9 }, 1, 1, 'a', 'next2 last9'],
  [{ limit: 4, page: '9007199254740991' }, 2 ** 53 - 1, 4, '', `first1 prev${2 ** 53 - 2}`],
])(
  'expectedPage for %j has number %i, size %i and items %j',
  (query, number, size, items, links) => {
    const page = expectedPage(whole, query, sizes)
    const hasMore = links.includes('next')
    expect(page).toMatchObject({ number, size, items: [...items], hasMore })
    expect([...(page?.links ?? [])].map((link) => link.join('')).join(' ')).toBe(links)
  },
)

it('expectedPage returns undefined beyond the pages that were read, if the end is unknown', () => {
  const read = { itemsByPage: whole.itemsByPage.slice(0, 2), length: undefined }
  const page = expectedPage(read, { limit: 4, page: 2 }, sizes)
  expect(page).toMatchObject({ hasMore: true, count: undefined, shown: 4 })
  expect(page?.links.has('last')).toBe(false)
  expect(expectedPage(read, { limit: 4, page: 3 }, sizes)).toBeUndefined()
})

it.each([
  [3, 4, true],
  [5, 3, false],
  [6, 0, false],
])(
  'expectedPage for page %i of a list of known length shows %i items',
  (number, shown, hasMore) => {
    const read = { ...whole, length: 19 }
    const page = expectedPage(read, { limit: 4, page: number }, sizes)
    expect(page).toMatchObject({ shown, hasMore, count: 5, items: undefined })
  },
)

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

it.each([
  ['wxyz', true],
  ['wxy', false],
  ['wxyy', false],
  ['wxyyz', false],
])('areItemsOf for %j and four items that were not read: %s', (items, expected) => {
  const list = { ...whole, length: 19 }
  const page = expectedPage(list, { limit: 4, page: 3 }, sizes)
  expect(page && areItemsOf(list, page, [...items])).toBe(expected)
})
