import { describe, expect, it } from 'vitest'
import { type Form, FormSearch } from './redaction-search.ts'
import { secretForms } from './secret-forms.ts'

function searchOf(...forms: Form[]): FormSearch<number> {
  const search = new FormSearch<number>()
  for (const [index, form] of forms.entries()) search.add(form, index)
  return search
}

const places = (search: FormSearch<number>, text: string) =>
  search.find(text).map(({ start, end, meaning }) => [start, end, meaning])

describe('a form', () => {
  it.each(['a', 'ab', 'abc', 'abcd'])('of few units is found anywhere: %j', (text) => {
    const search = searchOf({ parts: [text] })
    const { length } = text
    expect(places(search, text)).toEqual([[0, length, 0]])
    expect(places(search, `-${text}-${text}`)).toEqual([
      [1, 1 + length, 0],
      [2 + length, 2 + 2 * length, 0],
    ])
    expect(places(search, text.slice(1))).toEqual([])
  })

  it('is found in every combination of its ways, to its last end', () => {
    const search = searchOf({ parts: ['a', ['+', '%2B', '%'], ['', '2', '2B']] })
    expect(places(search, 'a+ a%2B a%2B2B a')).toEqual([
      [0, 2, 0],
      [3, 7, 0],
      [8, 14, 0],
    ])
  })

  it('counts in any case only where it says so', () => {
    expect(places(searchOf({ parts: ['aB', ['c', 'D']], anyCase: true }), 'AbC ABd')).toHaveLength(
      2,
    )
    expect(places(searchOf({ parts: ['aB', ['c', 'D']] }), 'AbC aBD aBd')).toEqual([[4, 7, 0]])
  })

  it('that other forms contain goes behind them, and equal ones count once', () => {
    const search = searchOf(
      { parts: ['ab'] },
      { parts: ['abc'] },
      { parts: ['abc'] },
      { parts: ['bc'] },
    )
    expect(places(search, 'abc')).toEqual([
      [0, 3, 1],
      [1, 3, 3],
    ])
  })

  it('tells how long a text it can match', () => {
    expect(searchOf({ parts: ['abc', ['x', 'yyy']] }, { parts: ['z'] }).longest).toBe(6)
  })
})

describe('a text that is made to be slow', () => {
  // Each would take longer than the age of the universe with a search that goes back.
  const backslashes = '\\'.repeat(40)

  it.each([
    ['of backslashes, which may stand for themselves or be escaped', `${backslashes}x`, '\\'],
    ['of quotes, which may be doubled', `${'"'.repeat(40)}x`, '"'],
    ['of what stands for letters that cannot be decoded', `${'äöü'.repeat(20)}x`, '?'],
    ['that never stops to begin', `${'a'.repeat(60)}x`, 'a'],
  ])('%s, is searched all the same', (_, secret, unit) => {
    const search = searchOf(...secretForms(secret))
    expect(places(search, unit.repeat(5_000))).toEqual([])
    expect(places(search, `${unit.repeat(5_000)} ${secret}`).length).toBeGreaterThan(0)
  })
})
