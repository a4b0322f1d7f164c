import { describe, expect, it } from 'vitest'
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

describe('change', () => {
  it.each<[State, State, ChangeKind]>([
    ['pass', 'fail', 'regressions'],
    ['pass', 'advisory', 'newDeviations'],
    ['partial pass', 'fail', 'failingWithoutVerdictBefore'],
    ['absent', 'fail', 'failingWithoutVerdictBefore'],
    ['advisory', 'fail', 'noLongerAdvisory'],
    ['waived', 'fail', 'noLongerWaived'],
    ['fail', 'partial pass', 'partialPasses'],
    ['partial pass', 'pass', 'unchanged'],
    ['fail', 'waived', 'newlyAccepted'],
    ['fail', 'inconclusive', 'lostVerdicts'],
    ['inconclusive', 'skipped', 'unchanged'],
    ['skipped', 'pass', 'newVerdicts'],
    ['pass', 'not probed', 'notRun'],
    ['pass', 'absent', 'notRun'],
    ['absent', 'pass', 'addedRequirements'],
  ])('returns for %s to %s: %s', (before, after, kind) => {
    expect(kindOf(before, after)).toBe(kind)
  })

  it.each<[State, State, ChangeKind]>([
    ['fail', 'fail', 'changedDeviations'],
    ['waived', 'fail', 'changedDeviations'],
    ['fail', 'waived', 'changedDeviations'],
    ['advisory', 'advisory', 'changedDeviations'],
    ['advisory', 'fail', 'noLongerAdvisory'],
  ])('returns for %s to %s with another deviation: %s', (before, after, kind) => {
    expect(kindOf(before, after, 'different')).toBe(kind)
  })

  it('ignores a deviation that one of the runs does not report', () => {
    expect(change({ state: 'fail', deviation: 'one' }, { state: 'fail' }).kind).toBe('stillFailing')
  })

  it('returns removedRequirements for an absent requirement in another version', () => {
    expect(kindOf('pass', 'absent', 'same', 'different')).toBe('removedRequirements')
  })
})
