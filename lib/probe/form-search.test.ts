import { describe, expect, it } from 'vitest'
import { FormSearch } from './form-search.ts'
import { secretForms } from './secret-forms.ts'

function searchOf(secret: string): FormSearch {
  const search = new FormSearch()
  for (const form of secretForms(secret)) search.add(form, { text: () => secret, length: 0 })
  return search
}

const places = (search: FormSearch, text: string) =>
  search.find(text).map(({ start, end }) => [start, end])

describe('a text', () => {
  it('is found where base64 begins and ends in other bytes, with the characters that they share', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = `"${Buffer.from(`${before}tr0ub4dor and more`).toString('base64')}"`
      const [[start = 0, end = 0] = []] = places(searchOf('tr0ub4dor'), text)
      expect(Buffer.from(text.slice(1, start), 'base64').toString()).not.toContain('t')
      expect(Buffer.from(text.slice(end, -1), 'base64').toString()).not.toContain('r0')
    }
  })
})

describe('a text that is made to be slow', () => {
  const backslashes = '\\'.repeat(40)

  it.each([
    ['of backslashes, which may stand for themselves or be escaped', `${backslashes}x`, '\\'],
    ['of quotes, which may be doubled', `${'"'.repeat(40)}x`, '"'],
    ['of what stands for letters that cannot be decoded', `${'äöü'.repeat(20)}x`, '?'],
    ['that never stops to begin', `${'a'.repeat(60)}!`, 'a'],
    ['of a long secret again and again', 'a1'.repeat(2048).concat('!'), 'a1'],
    ['of escapes of escapes', `${'%'.repeat(60)}x`, '%25'],
  ])('%s, is searched all the same', (_, secret, unit) => {
    const search = searchOf(secret)
    expect(places(search, unit.repeat(50_000))).toEqual([])
    expect(places(search, `${unit.repeat(5_000)} ${secret}`).length).toBeGreaterThan(0)
  })
})
