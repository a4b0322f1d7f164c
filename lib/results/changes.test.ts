import { expect, it } from 'vitest'
import {
  type ChangeKind,
  type ComparedCases,
  type ComparedResult,
  change,
  type State,
} from './changes.ts'

/** Returns cases such as `a. b1 c?`: `a` conforms, `b` has the deviation 1, and `c` was not judged. */
function casesIn(text: string): ComparedCases {
  const all = text.split(' ').map(([key = '', digest = '']) => [key, digest] as const)
  return {
    deviating: new Map(all.filter(([, digest]) => /\d/.test(digest))),
    judged: new Set(all.filter(([, digest]) => digest !== '?').map(([key]) => key)),
  }
}

/** Returns a result with a state; undefined if the report does not have the requirement. */
function resultOf(state: State, cases?: string): ComparedResult | undefined {
  if (state === 'absent' || state === 'not probed') return undefined
  return { state, ...(cases !== undefined && { cases: casesIn(cases) }) }
}

const kindOf = (before: State, after: State, cases: [string?, string?] = []) =>
  change(resultOf(before, cases[0]), resultOf(after, cases[1]), { before, after }).kind

it.each<[State, State, ChangeKind]>([
  ['pass', 'fail', 'newlyFailing'],
  ['absent', 'fail', 'newlyFailing'],
  ['skipped', 'fail', 'newlyFailing'],
  ['pass', 'advisory', 'failsDifferently'],
  ['skipped', 'waived', 'failsDifferently'],
  ['advisory', 'fail', 'same'],
  ['fail', 'pass', 'fixed'],
  ['fail', 'advisory', 'failsDifferently'],
  ['fail', 'fail', 'same'],
  ['fail', 'inconclusive', 'noLongerJudged'],
  ['inconclusive', 'skipped', 'same'],
  ['skipped', 'pass', 'same'],
  ['pass', 'not probed', 'noLongerJudged'],
  ['pass', 'absent', 'noLongerJudged'],
])('without cases, a change from %s to %s is %s', (before, after, kind) => {
  expect(kindOf(before, after)).toBe(kind)
})

it.each<[State, string, State, string, ChangeKind]>([
  ['fail', 'a1 b1 c.', 'pass', 'a. b. c.', 'fixed'],
  ['fail', 'a1 b.', 'pass', 'a. b?', 'fixed'],
  ['fail', 'a1 b1', 'pass', 'a. b?', 'noLongerJudged'],
  ['fail', 'a1', 'skipped', 'a?', 'noLongerJudged'],
  ['pass', 'a?', 'fail', 'a1', 'newlyFailing'],
  ['pass', 'a. b.', 'pass', 'a. b?', 'same'],
  ['pass', 'a. b?', 'fail', 'a1 b1', 'newlyFailing'],
  ['pass', 'a.', 'waived', 'a1', 'failsDifferently'],
  ['fail', 'a1 b1', 'fail', 'a1 b1', 'same'],
  ['fail', 'a1 b1', 'fail', 'a1 b?', 'same'],
  // The same deviation in a case that was not judged before.
  ['fail', 'a1 b?', 'fail', 'a1 b1', 'same'],
  ['fail', 'a1 b?', 'fail', 'a1 b2', 'failsDifferently'],
  ['fail', 'a1 b1', 'fail', 'a1 b2', 'failsDifferently'],
  ['fail', 'a1 b.', 'fail', 'a. b1', 'newlyFailing'],
  ['waived', 'a1 b.', 'fail', 'a1 b2', 'newlyFailing'],
  ['waived', 'a1', 'fail', 'a1', 'same'],
  ['waived', 'a1', 'fail', 'a2', 'failsDifferently'],
  ['waived', 'a1 b.', 'waived', 'a1 b1', 'failsDifferently'],
])('%s in %j, then %s in %j, is %s', (before, was, after, is, kind) => {
  expect(kindOf(before, after, [was, is])).toBe(kind)
})

it('a case whose deviation a report does not have deviates as before', () => {
  const resultWith = (text: string): ComparedResult => ({
    state: 'fail',
    cases: { deviating: new Map([['a', text]]), judged: new Set() },
  })
  expect(change(resultWith('1'), resultWith('')).cases.same).toEqual(['a'])
  expect(change(resultWith(''), resultWith('1')).cases.same).toEqual(['a'])
})
