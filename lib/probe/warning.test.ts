import { describe, expect, it } from 'vitest'
import { parseWarning } from './warning.ts'

describe('parseWarning', () => {
  it('reads one value', () => {
    expect(parseWarning('299 - "token is deprecated, use Bearer"')).toEqual([
      { code: 299, agent: '-', text: 'token is deprecated, use Bearer', date: undefined },
    ])
  })

  it('reads several values, with and without a date', () => {
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
    expect(parseWarning(`110 cache.test:80 "stale" "${date}",299 [::1]:1 "a" , 199 - ""`)).toEqual([
      { code: 110, agent: 'cache.test:80', text: 'stale', date },
      { code: 299, agent: '[::1]:1', text: 'a', date: undefined },
      { code: 199, agent: '-', text: '', date: undefined },
    ])
  })

  it('takes escapes out of the text', () => {
    expect(parseWarning('299 - "say \\"Bearer\\", not \\\\"')[0]?.text).toBe('say "Bearer", not \\')
  })

  it.each([
    '',
    'junk',
    '29 - "a"',
    '2999 - "a"',
    '299 "a"',
    '299 - a',
    '299 - "a',
    '299 - "a\\"',
    '299 - "a" junk',
  ])('finds nothing in %j', (field) => {
    expect(parseWarning(field)).toEqual([])
  })

  it('keeps the values before junk', () => {
    expect(parseWarning('299 - "a", junk, 299 - "b"').map(({ text }) => text)).toEqual(['a'])
  })

  it('reads a megabyte quickly', () => {
    const started = performance.now()
    expect(parseWarning(`299 - "${'\\"'.repeat(512 * 1024)}`)).toEqual([])
    expect(parseWarning('299 - "a", '.repeat(100_000))).toHaveLength(100_000)
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
