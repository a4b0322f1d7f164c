import { expect, it } from 'vitest'
import {
  casesFixture,
  reportFixture,
  resultFixture,
  runFixture,
} from '../reports/report.fixture.ts'
import {
  type ChangeKind,
  type ComparedResult,
  change,
  changesBetween,
  type State,
  snapshotOf,
} from './changes.ts'

/** Returns cases such as `a. b1 c?`: `a` conforms, `b` has the deviation 1, and `c` was not judged. */
function casesIn(text: string): ComparedResult['cases'] {
  const all = text.split(' ').map(([key = '', digest = '']) => [key, digest] as const)
  return {
    deviating: new Map(all.filter(([, digest]) => /\d/.test(digest))),
    judged: new Set(all.filter(([, digest]) => digest !== '?').map(([key]) => key)),
  }
}

const resultOf = (state: State, cases?: string): ComparedResult => {
  return { state, ...(cases !== undefined && { cases: casesIn(cases) }) }
}

const kindOf = (before: State, after: State, cases: [string?, string?] = []) =>
  change(resultOf(before, cases[0]), resultOf(after, cases[1])).kind

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

it('of a result that did not deviate, each case that deviates now is newly failing', () => {
  const { cases } = change(resultOf('pass', 'a. b?'), resultOf('fail', 'a1 b1'))
  expect(cases).toEqual({ newlyFailing: ['a', 'b'] })
})

it('changesBetween distinguishes absent requirements from services that were not probed', () => {
  const results = ['code-hosting/a/b', 'event-publishing/a/b'].map((requirement) => {
    return resultFixture({ requirement })
  })
  const [before, after] = [results, []].map((some) => {
    return reportFixture({
      target: { codeHosting: { baseUrl: 'https://a.example' } },
      results: some,
    })
  })
  const changes = before && after ? changesBetween(before, after) : []
  expect(changes.map(({ after }) => after)).toEqual(['absent', 'not probed'])
})

it('snapshotOf returns all deviations of each case, whatever their order and the run', () => {
  const snapshot = (id: string, ...deviations: [actual: string, cases: number[]][]) => {
    const found = deviations.map(([actual, cases]) => ({ expected: 'e', actual, cases }))
    const cases = { ...casesFixture({ conforming: [2], deviating: [0, 1, 4] }, { 3: '' }) }
    const other = resultFixture({ requirement: 'a/b/c', cases: casesFixture({ conforming: [3] }) })
    const results = [resultFixture({ verdict: 'fail', deviations: found, cases }), other]
    const run = runFixture({ id })
    const report = reportFixture({ run, results, cases: ['a', 'b', 'c', 'd', 'e'] })
    return [...snapshotOf(report).values()][0]?.cases
  }
  const one = snapshot('q7k2', ['plumbline-q7k2-x', [0, 1]], ['y', [1]])
  const other = snapshot('x9m4', ['y', [1]], ['plumbline-x9m4-x', [1, 0]])
  expect(one).toEqual(other)
  expect([...(one?.deviating.keys() ?? [])]).toEqual(['a', 'b', 'e'])
  expect(new Set(one?.deviating.values()).size).toBe(3)
  expect(one?.deviating.get('e')).toBe('')
  // Another requirement judged it.
  expect(one?.judged.has('d')).toBe(false)
  expect(one?.judged).toEqual(new Set(['a', 'b', 'c', 'e']))
})

it('snapshotOf returns the same for a problem whose first case changed', () => {
  const deviatingOf = (actual: string, problem?: string) => {
    const found = { subject: 'GET /user 200', expected: 'e', actual, cases: [0] }
    const deviations = [{ ...found, ...(problem !== undefined && { problem }) }]
    const cases = casesFixture({ deviating: [0] })
    const results = [resultFixture({ verdict: 'fail', deviations, cases })]
    return [...snapshotOf(reportFixture({ results })).values()][0]?.cases?.deviating
  }
  expect(deviatingOf('X-Total: 3', 'X-Total')).toEqual(deviatingOf('X-Total: 7', 'X-Total'))
  expect(deviatingOf('X-Total: 3', 'X-Total')).not.toEqual(deviatingOf('X-Total: 3'))
})
