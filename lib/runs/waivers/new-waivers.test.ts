import { expect, it } from 'vitest'
import { matchesOf } from './new-waivers.ts'

it.each([
  ['a, b', 'a, b', true],
  ['a, b', 'a, b, c', false],
  ['a, *', 'a, b, c', true],
  ['*, c', 'a, b, c', true],
  ['*b*', 'a, b, c', true],
  ['a*c, d', 'a, b, c', false],
  ['(a|b)+', '(a|b)+', true],
  ['(a|b)+', 'a', false],
  ['*', 'GET /repos/{owner}\nb', true],
])('the glob %j matches %j: %s', (glob, id, expected) => {
  expect(matchesOf(glob, [id])).toEqual(expected ? [id] : [])
})
