import { describe, it } from 'vitest'
import { errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { isFailedExpectation } from '../../../lib/conformance/judgement.ts'
import { expect } from './matchers.ts'

async function failure(work: () => unknown): Promise<unknown[]> {
  const error = await errorOf(work)
  return isFailedExpectation(error) ? [error.expected, error.actual] : [error]
}

function page(number?: string, items = 0) {
  const headers: Record<string, string> = number === undefined ? {} : { 'X-Page': number }
  const json = Array.from({ length: items }, (_, index) => ({ full_name: `maria/r${index}` }))
  return exchangeWith({ json, headers }, '/list')
}

describe('a page', () => {
  it('holds a number of items at most', async () => {
    expect(page('1', 2)).toHaveItemsUpTo(2)
    expect(exchangeWith({ json: null })).toHaveItemsUpTo(0)
    expect(await failure(() => expect(page('1', 3)).toHaveItemsUpTo(2))).toEqual([
      '2 items at most',
      '3 items',
    ])
  })

  it('tells the number that another tells, where both tell one', async () => {
    expect(page('2')).toTellTheSamePageAs(page('2'))
    expect(page('2')).toTellTheSamePageAs(page())
    expect(page()).toTellTheSamePageAs(page('2'))
    expect(await failure(() => expect(page('0')).toTellTheSamePageAs(page('1')))).toEqual([
      'the X-Page of https://git.example.com/list: 1',
      'X-Page: 0',
    ])
  })
})
