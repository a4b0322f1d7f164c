import { expect, it } from 'vitest'
import {
  type ChangeKind,
  type ComparedResult,
  change,
  changeKinds,
  changeRules,
  type State,
  states,
} from './changes.ts'

const conditions = ['same', 'different'] as const
const pairs = states.flatMap((before) => states.map((after) => [before, after] as const))

/** Returns a result with a state; undefined if the report does not have the requirement. */
function resultOf(state: State, deviation?: string): ComparedResult | undefined {
  if (state === 'absent' || state === 'not probed') return undefined
  return { state, ...(deviation !== undefined && { deviation }) }
}

function kindOf(before: State, after: State, deviation = 'same', version = 'same'): ChangeKind {
  return change(resultOf(before, 'one'), resultOf(after, deviation === 'same' ? 'one' : 'other'), {
    wasProbed: before !== 'not probed',
    isProbed: after !== 'not probed',
    sameVersion: version === 'same',
  }).kind
}

it.each(pairs)('a change from %s to %s has exactly one kind', (before, after) => {
  for (const deviation of conditions) {
    for (const version of conditions) {
      const matching = changeRules.filter(
        (rule) =>
          rule.before.includes(before) &&
          rule.after.includes(after) &&
          (rule.deviation ?? deviation) === deviation &&
          (rule.version ?? version) === version,
      )
      expect(matching.map(({ kind }) => kind)).toEqual([kindOf(before, after, deviation, version)])
    }
  }
})

it('each kind has a rule', () => {
  expect(new Set(changeRules.map(({ kind }) => kind))).toEqual(new Set(changeKinds))
})

it.each<[State, State, ChangeKind, another?: ChangeKind]>([
  ['pass', 'fail', 'regressions'],
  ['pass', 'advisory', 'newDeviations'],
  ['partial pass', 'fail', 'failingWithoutVerdictBefore'],
  ['absent', 'fail', 'failingWithoutVerdictBefore'],
  ['advisory', 'fail', 'noLongerAdvisory', 'noLongerAdvisory'],
  ['advisory', 'advisory', 'unchanged', 'changedDeviations'],
  ['advisory', 'pass', 'fixed'],
  ['fail', 'advisory', 'newlyAccepted', 'changedDeviations'],
  ['waived', 'fail', 'noLongerWaived', 'changedDeviations'],
  ['fail', 'fail', 'stillFailing', 'changedDeviations'],
  ['fail', 'waived', 'newlyAccepted', 'changedDeviations'],
  ['fail', 'partial pass', 'partialPasses'],
  ['partial pass', 'pass', 'unchanged'],
  ['fail', 'inconclusive', 'lostVerdicts'],
  ['inconclusive', 'skipped', 'unchanged'],
  ['skipped', 'pass', 'newVerdicts'],
  ['pass', 'not probed', 'notRun'],
  ['pass', 'absent', 'notRun'],
  ['absent', 'pass', 'addedRequirements'],
])(
  'a change from %s to %s is %s, and with another deviation %s',
  (before, after, kind, another) => {
    expect(kindOf(before, after)).toBe(kind)
    if (another !== undefined) expect(kindOf(before, after, 'different')).toBe(another)
  },
)

it('a deviation that one of the runs does not report is no change', () => {
  expect(change({ state: 'fail', deviation: 'one' }, { state: 'fail' }).kind).toBe('stillFailing')
})

it('a requirement that another version does not know is removed', () => {
  expect(kindOf('pass', 'absent', 'same', 'different')).toBe('removedRequirements')
})
