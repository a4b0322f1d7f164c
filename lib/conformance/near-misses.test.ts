import { expect, it } from 'vitest'
import { nearMisses } from './near-misses.ts'

it.each([
  [
    'a-key7',
    '0-key7',
    'a-k0y7',
    'a-keya',
    'A-KEY7',
    'a-key70',
    'a-key7:0',
    'a-key7 ',
    'a-key',
    'a-key7',
  ],
  [
    '-Key==',
    '-0ey==',
    '-Kea==',
    '-Kea==',
    '-kEY==',
    '-Key==0',
    '-Key==:0',
    '-Key== ',
    '-Key=',
    '-Key==',
  ],
])('vary %s', (secret, ...expected) => {
  expect(Object.values(nearMisses).map((vary) => vary(secret))).toEqual(expected)
})

it('replaces a character at the end by one whose significant bits differ in base64', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  for (const [index, character] of [...alphabet].entries()) {
    const other = alphabet.indexOf(nearMisses['other end'](character))
    expect(other >> 4, character).not.toBe(index >> 4)
  }
})
