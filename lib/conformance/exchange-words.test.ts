import { describe, expect, it } from 'vitest'
import { exchangeWith } from './exchange.fixture.ts'
import {
  displayBody,
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayText,
  displayValue,
} from './exchange-words.ts'

const json = { message: 'maria is away', login: 'maria' }
const kept = exchangeWith({ status: 401, json })
const leftOut = exchangeWith({ status: 401, json, leftOut: true })

describe('what is told of a body', () => {
  it('is told as it is where reports keep bodies', () => {
    expect(displayValue(kept, 'maria')).toBe('"maria"')
    expect(displayText(kept, 'maria/first')).toBe('maria/first')
    expect(displayNames(kept, ['a', 'b', 'c', 'd'])).toBe('4 items (a, b, c, …)')
    expect(displayNames(kept, ['a'])).toBe('1 items (a)')
    expect(displayBody(kept)).toBe('the body {"message":"maria is away","login":"maria"}')
    expect(displayMessage(kept)).toBe('maria is away')
    expect(displayQuotedMessage(kept)).toBe('message "maria is away"')
  })

  it.each([
    ['maria', 'a string of 5 characters'],
    ['😀', 'a string of 1 character'],
    ['', 'a string of 0 characters'],
    [12, 'a number'],
    [true, 'a boolean'],
    [null, 'null'],
    [undefined, 'nothing'],
    [['maria'], 'a list of 1 item'],
    [{ login: 'maria', id: 1 }, 'an object of 2 fields'],
  ])('is its type and length where they do not: %j', (value, expected) => {
    expect(displayValue(leftOut, value)).toBe(expected)
  })

  it('is told of its length where it is long', () => {
    const long = 'é'.repeat(20_000)
    expect(displayValue(kept, long)).toBe('a string of 20000 characters')
    expect(displayText(kept, long)).toBe('a string of 20000 characters')
    expect(displayNames(kept, [long, 'b'])).toBe('2 items (a string of 20000 characters, b)')
    expect(displayValue(kept, Array(20_000).fill(1))).toBe('a list of 20000 items')
  })

  it('is no name, message or body there either', () => {
    expect(displayText(leftOut, 'maria/first')).toBe('a string of 11 characters')
    expect(displayNames(leftOut, ['a', 'b'])).toBe('2 items')
    expect(displayBody(leftOut)).toBe('a body of 43 bytes')
    expect(displayMessage(leftOut)).toBe('a string of 13 characters')
    expect(displayQuotedMessage(leftOut)).toBe('a message, a string of 13 characters')
  })
})
