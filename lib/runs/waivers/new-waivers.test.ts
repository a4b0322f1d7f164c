import { expect, it } from 'vitest'
import { matchesOf, toCaseGlobs } from './new-waivers.ts'

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

const ids = (...resources: string[]) =>
  resources.flatMap((resource) =>
    ['anonymous', 'Bearer/scopes=all'].map((who) => `${resource}/${who}`),
  )

it.each([
  ['a shared part', ids('user', 'repositories').slice(0, 2), ids('repositories'), 1],
  ['a shared end', ['user/anonymous', 'repositories/anonymous'], ['user/Bearer'], 1],
  ['nothing shared', ['a/x', 'b/y'], ['a/y', 'b/x'], 2],
  ['a case that is a part of another one', ['a'], ['a/b'], 1],
])('few globs match cases with %s, and no other ones', (_name, deviating, others, count) => {
  const globs = toCaseGlobs(deviating, others)
  expect(globs).toHaveLength(count)
  for (const id of deviating) expect(globs.flatMap((glob) => matchesOf(glob, [id]))).toContain(id)
  expect(globs.flatMap((glob) => matchesOf(glob, others))).toEqual([])
})
