import { expect, it } from 'vitest'
import {
  casesFixture,
  reportFixture,
  resultFixture,
  runFixture,
} from '../reports/report.fixture.ts'
import type { RunReport } from './run-report.ts'
import { changesBetween, isSameTarget, snapshotOf } from './snapshot.ts'

type Target = RunReport['target']

const address = { baseUrl: 'https://a.example' }
const here: Target = { codeHosting: address }
const embeddedAt = (port: number): Target => {
  return { codeHosting: { baseUrl: `http://127.0.0.1:${port}`, embedded: true } }
}

it.each<[boolean, string, Target, Target]>([
  [true, 'one service less', { ...here, incidentStatus: address }, here],
  [false, 'one node of it', here, { codeHosting: { ...address, connectedTo: '10.0.0.7:443' } }],
  [false, 'another service', { incidentStatus: address }, here],
  [true, 'the reference server on another port', embeddedAt(1), embeddedAt(2)],
])('isSameTarget returns %s for %s', (same, _name, one, other) => {
  expect(isSameTarget(one, other)).toBe(same)
})

it('changesBetween distinguishes absent requirements from services that were not probed', () => {
  const results = ['code-hosting/a/b', 'event-publishing/a/b'].map((requirement) => {
    return resultFixture({ requirement })
  })
  const [before, after] = [results, []].map((some) => {
    return reportFixture({ target: here, results: some })
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
