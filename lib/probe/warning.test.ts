import { describe, expect, it } from 'vitest'
import { parseWarning } from './warning.ts'

describe('parseWarning', () => {
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
})
