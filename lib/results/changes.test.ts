import { expect, it } from 'vitest'
import {
  type ChangeKind,
  type ComparedCases,
  type ComparedResult,
  caseChanges,
  change,
  changedCases,
  changeKinds,
  changeRules,
  type State,
  states,
} from './changes.ts'

const versions = ['same', 'different'] as const
const pairs = states.flatMap((before) => states.map((after) => [before, after] as const))

/** Returns cases such as `a. b1 c?`: `a` conforms, `b` has the deviation 1, and `c` was not judged. `d!`: only for other requirements. */
function casesIn(text: string): ComparedCases {
  const all = text.split(' ').map(([key = '', digest = '']) => [key, digest] as const)
  return {
    deviating: new Map(all.filter(([, digest]) => /\d/.test(digest))),
    judged: new Set(all.filter(([, digest]) => digest !== '?').map(([key]) => key)),
    missing: new Set(all.filter(([, digest]) => digest === '!').map(([key]) => key)),
  }
}

/** Returns a result with a state; undefined if the report does not have the requirement. */
function resultOf(state: State, cases?: string): ComparedResult | undefined {
  if (state === 'absent' || state === 'not probed') return undefined
  return { state, ...(cases !== undefined && { cases: casesIn(cases) }) }
}

const kindOf = (before: State, after: State, cases: [string?, string?] = [], version = 'same') =>
  change(resultOf(before, cases[0]), resultOf(after, cases[1]), {
    wasProbed: before !== 'not probed',
    isProbed: after !== 'not probed',
    sameVersion: version === 'same',
  }).kind

it.each(pairs)('a change from %s to %s has exactly one kind', (before, after) => {
  for (const cases of caseChanges) {
    for (const version of versions) {
      const matching = changeRules.filter(
        (rule) =>
          rule.before.includes(before) &&
          rule.after.includes(after) &&
          (rule.cases ?? cases).includes(cases) &&
          (rule.version ?? version) === version,
      )
      expect(matching).toHaveLength(1)
    }
  }
})

it('each kind has a rule', () => {
  expect(new Set(changeRules.map(({ kind }) => kind))).toEqual(new Set(changeKinds))
})

it.each<[State, State, ChangeKind]>([
  ['pass', 'fail', 'regressions'],
  ['pass', 'advisory', 'newDeviations'],
  ['absent', 'fail', 'failingWithoutVerdictBefore'],
  ['skipped', 'fail', 'failingWithoutVerdictBefore'],
  ['advisory', 'fail', 'noLongerAdvisory'],
  ['advisory', 'advisory', 'unchanged'],
  ['advisory', 'pass', 'fixed'],
  ['fail', 'pass', 'fixed'],
  ['fail', 'advisory', 'newlyAccepted'],
  ['waived', 'fail', 'noLongerWaived'],
  ['fail', 'fail', 'stillFailing'],
  ['fail', 'waived', 'newlyAccepted'],
  ['fail', 'inconclusive', 'lostVerdicts'],
  ['inconclusive', 'skipped', 'unchanged'],
  ['skipped', 'pass', 'newVerdicts'],
  ['not selected', 'pass', 'notComparable'],
  ['pass', 'not probed', 'notRun'],
  ['pass', 'absent', 'notRun'],
  ['absent', 'pass', 'addedRequirements'],
])('without cases, a change from %s to %s is %s', (before, after, kind) => {
  expect(kindOf(before, after)).toBe(kind)
})

it.each<[State, string, State, string, ChangeKind]>([
  ['fail', 'a1 b1 c.', 'pass', 'a. b. c.', 'fixed'],
  ['fail', 'a1 b.', 'pass', 'a. b?', 'fixed'],
  ['waived', 'a1', 'pass', 'a.', 'fixed'],
  ['fail', 'a1 b1', 'pass', 'a. b?', 'lostVerdicts'],
  ['advisory', 'a1 b.', 'pass', 'b.', 'lostVerdicts'],
  ['fail', 'a1', 'skipped', 'a?', 'lostVerdicts'],
  ['fail', 'a1', 'pass', 'a!', 'lostVerdicts'],
  ['pass', 'a!', 'fail', 'a1', 'failingWithoutVerdictBefore'],
  ['pass', 'a. b.', 'pass', 'a. b?', 'unchanged'],
  ['pass', 'a. b.', 'fail', 'a. b1', 'regressions'],
  ['pass', 'a. b?', 'fail', 'a1 b1', 'regressions'],
  ['pass', 'a. b?', 'fail', 'a. b1', 'failingWithoutVerdictBefore'],
  ['pass', 'a.', 'waived', 'a1', 'newDeviations'],
  ['fail', 'a1 b1', 'fail', 'a1 b1', 'stillFailing'],
  ['fail', 'a1 b1', 'fail', 'a1 b.', 'stillFailing'],
  ['fail', 'a1 b1', 'fail', 'a1 b?', 'stillFailing'],
  // The same deviation in a case that was not judged before.
  ['fail', 'a1 b?', 'fail', 'a1 b1', 'stillFailing'],
  ['fail', 'a1 b?', 'fail', 'a1 b2', 'changedDeviations'],
  ['fail', 'a1 b1', 'fail', 'a1 b2', 'changedDeviations'],
  ['fail', 'a1 b.', 'fail', 'a1 b1', 'regressions'],
  ['fail', 'a1 b.', 'fail', 'a. b1', 'regressions'],
  ['waived', 'a1 b.', 'fail', 'a1 b2', 'regressions'],
  ['waived', 'a1', 'fail', 'a1', 'noLongerWaived'],
  ['waived', 'a1', 'fail', 'a2', 'changedDeviations'],
  ['waived', 'a1', 'waived', 'a1', 'unchanged'],
  ['waived', 'a1 b.', 'waived', 'a1 b1', 'changedDeviations'],
  ['fail', 'a1', 'waived', 'a1', 'newlyAccepted'],
  ['fail', 'a1', 'waived', 'a2', 'changedDeviations'],
  ['advisory', 'a1', 'fail', 'a2', 'noLongerAdvisory'],
])('%s in %j, then %s in %j, is %s', (before, was, after, is, kind) => {
  expect(kindOf(before, after, [was, is])).toBe(kind)
})

it('a line of a history judged all cases except the missing ones', () => {
  const before = casesIn('a1 b1')
  const after = { deviating: new Map([['c', '1']]), missing: new Set(['b']) }
  expect(changedCases(before, after)).toMatchObject({ fixed: ['a'], lost: ['b'] })
  expect(changedCases(after, before)).toMatchObject({
    ...{ newlyFailing: ['a'], unknownBefore: ['b'], lost: ['c'] },
  })
})

it('a case whose deviation a report does not have deviates as before', () => {
  const [one, none] = ['1', ''].map((digest) => ({ deviating: new Map([['a', digest]]) }))
  for (const [before, after] of [
    [one, none],
    [none, one],
  ] as const) {
    expect(before && after && changedCases(before, after).stillFailing).toEqual(['a'])
  }
})
