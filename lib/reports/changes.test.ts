import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { changesSince, isSameTarget } from './changes.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'

function report(verdicts: Record<string, Verdict>, parts: Partial<RunReport> = {}): RunReport {
  const results = Object.entries(verdicts).map(([name, verdict]) =>
    resultFixture({ requirement: `a/b/${name}`, verdict }),
  )
  return reportFixture({ results, ...parts })
}

function changes(before: Record<string, Verdict>, after: Record<string, Verdict>) {
  const found = changesSince(report(before), report(after))
  if (found === undefined) throw new Error('there is nothing to compare with')
  const names = (results: RequirementResult[]) =>
    results.map(({ requirement }) => requirement.split('/')[2])
  return {
    newlyFailing: names(found.newlyFailing),
    noLongerWaived: names(found.noLongerWaived),
    noLongerAdvisory: names(found.noLongerAdvisory),
    failingUnseen: names(found.failingUnseen),
    mended: names(found.mended),
    newlyWaived: names(found.newlyWaived),
    newlyAdvisory: names(found.newlyAdvisory),
    newlyUnjudged: names(found.newlyUnjudged),
  }
}

const nothing: ReturnType<typeof changes> = {
  newlyFailing: [],
  noLongerWaived: [],
  noLongerAdvisory: [],
  failingUnseen: [],
  mended: [],
  newlyWaived: [],
  newlyAdvisory: [],
  newlyUnjudged: [],
}

describe('changesSince', () => {
  it('finds nothing new where nothing changed', () => {
    const same = { one: 'fail', two: 'pass', three: 'skipped', four: 'inconclusive' } as const
    expect(changes(same, same)).toEqual(nothing)
  })

  it.each<[string, Verdict | undefined, Verdict, Partial<typeof nothing>]>([
    ['a failure that passed before', 'pass', 'fail', { newlyFailing: ['x'] }],
    ['a failure without a verdict before', 'skipped', 'fail', { failingUnseen: ['x'] }],
    ['a failure after an outage', 'inconclusive', 'fail', { failingUnseen: ['x'] }],
    ['a failure of a new requirement', undefined, 'fail', { failingUnseen: ['x'] }],
    ['a failure that passes', 'fail', 'pass', { mended: ['x'] }],
    ['a failure that is waived', 'fail', 'waived', { newlyWaived: ['x'] }],
    ['a waived deviation that passes', 'waived', 'pass', { mended: ['x'] }],
    ['a waived deviation that no longer is', 'waived', 'fail', { noLongerWaived: ['x'] }],
    ['an advisory deviation that fails now', 'advisory', 'fail', { noLongerAdvisory: ['x'] }],
    ['a failure that only advises now', 'fail', 'advisory', { newlyAdvisory: ['x'] }],
    ['a pass that is waived', 'pass', 'waived', {}],
    ['a failure that is skipped', 'fail', 'skipped', { newlyUnjudged: ['x'] }],
    ['a pass that is inconclusive', 'pass', 'inconclusive', { newlyUnjudged: ['x'] }],
    ['what never had a verdict', 'skipped', 'inconclusive', {}],
    ['what is skipped for the first time', undefined, 'skipped', {}],
    ['another way of not failing', 'advisory', 'pass', {}],
  ])('tells %s', (_name, before, after, expected) => {
    expect(changes(before === undefined ? {} : { x: before }, { x: after })).toEqual({
      ...nothing,
      ...expected,
    })
  })

  it.each<[Verdict, Verdict, Partial<typeof nothing>]>([
    ['fail', 'fail', {}],
    ['fail', 'pass', { mended: ['x'] }],
    ['fail', 'waived', { newlyWaived: ['x'] }],
    ['waived', 'fail', { noLongerWaived: ['x'] }],
    ['pass', 'fail', { newlyFailing: ['x'] }],
    ['pass', 'pass', {}],
    ['pass', 'inconclusive', {}],
  ])('looks through an outage: %s before it and %s after', (lastJudged, verdict, expected) => {
    for (const unjudged of ['inconclusive', 'skipped'] as const) {
      const results = [{ requirement: 'a/b/x', verdict: unjudged, lastJudged }]
      const earlier = { ...reportFixture(), results }
      const found = changesSince(earlier, report({ x: verdict }))
      const ids = Object.entries(found ?? {}).flatMap(([kind, rows]) =>
        Array.isArray(rows) && rows.length > 0 ? [kind] : [],
      )
      expect(ids).toEqual(Object.keys(expected))
    }
  })

  it('misses a verdict that was lost in an outage, once', () => {
    const lost = (verdict: Verdict) => {
      const results = [{ requirement: 'a/b/x', verdict, lastJudged: 'pass' as const }]
      const found = changesSince({ ...reportFixture(), results }, report({ x: 'skipped' }))
      return found?.newlyUnjudged.map(({ requirement }) => requirement)
    }
    expect(lost('inconclusive')).toEqual(['a/b/x'])
    expect(lost('skipped')).toEqual([])
  })

  it('misses no verdict that nobody asked for', () => {
    const results = [
      resultFixture({ requirement: 'a/b/x', verdict: 'skipped', reason: 'not selected' }),
    ]
    expect(changesSince(report({ x: 'pass' }), reportFixture({ results }))?.newlyUnjudged).toEqual(
      [],
    )
  })

  it('tells since when', () => {
    expect(changesSince(report({}), report({}))?.since).toBe('2026-02-03T02:59:10.000Z')
  })

  it('needs an earlier run of the same target', () => {
    const other = report(
      { x: 'pass' },
      { target: { codeHosting: { baseUrl: 'https://b.example' } } },
    )
    expect(changesSince(undefined, report({}))).toBeUndefined()
    expect(changesSince(other, report({ x: 'fail' }))).toBeUndefined()
  })
})

describe('isSameTarget', () => {
  const here = { baseUrl: 'https://a.example' }

  it.each<[boolean, string, RunReport['target'], RunReport['target']]>([
    [true, 'the same place', { codeHosting: here }, { codeHosting: here }],
    [true, 'one service less', { codeHosting: here, incidentStatus: here }, { codeHosting: here }],
    [false, 'another service', { incidentStatus: here }, { codeHosting: here }],
    [
      false,
      'one service elsewhere',
      { codeHosting: here, incidentStatus: here },
      { codeHosting: here, incidentStatus: { baseUrl: 'https://b.example' } },
    ],
    [
      true,
      'the embedded deployment at another port',
      { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
      { codeHosting: { baseUrl: 'http://127.0.0.1:2', embedded: true } },
    ],
    [
      false,
      'the embedded deployment and one at its port',
      { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
      { codeHosting: { baseUrl: 'http://127.0.0.1:1' } },
    ],
    [false, 'nothing', {}, {}],
  ])('is %s for %s', (same, _name, one, other) => {
    expect(isSameTarget(one, other)).toBe(same)
  })
})
