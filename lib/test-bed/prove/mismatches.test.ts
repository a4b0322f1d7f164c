import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import { outcomeOf } from '../../results/outcome.ts'
import type { RunReport, Verdict } from '../../results/run-report.ts'
import { mismatches, needMismatches, rerunMismatches } from './mismatches.ts'
import type { Scenario } from './scenario.ts'

type Verdicts = Record<string, Verdict>

const verdicts: Verdicts = { 'a/b/one': 'pass', 'a/b/two': 'skipped' }
const evidence = { expected: 'status 200', actual: 'status 500', exchanges: ['e1'] }

function reportOf(changed: Verdicts = {}, parts: object = evidence): RunReport {
  const results = Object.entries({ ...verdicts, ...changed }).map(([requirement, verdict]) =>
    resultFixture({ requirement, verdict, ...(verdict === 'fail' ? parts : {}) }),
  )
  const exchanges = [exchangeFixture({ id: 'e1' })]
  return reportFixture({ results, exchanges, verdict: outcomeOf({ results, run: {} }).verdict })
}

const variant: Scenario = {
  kind: 'variant',
  name: 'kept',
  services: [],
  failing: [],
  verdict: 'conformant',
  tolerances: [],
  unjudged: [],
}
const failing = ['a/b/one']
const fault: Scenario = {
  ...variant,
  kind: 'fault',
  name: 'broken',
  failing,
  verdict: 'nonconformant',
}
const tolerances = [{ requirement: 'a/b/one', name: 'any-order' }]
const tolerant: Scenario = { ...variant, tolerances }
const expecting: Scenario = { ...variant, expectedVerdicts: { 'a/b/two': 'skipped' } }
const anyVerdict: Scenario = { ...variant, verdict: undefined }

const skipped: Verdicts = { 'a/b/one': 'skipped', 'a/b/two': 'pass' }

describe('mismatches', () => {
  it.each<[string, Scenario, Verdicts, string]>([
    ['a missed fault', fault, {}, 'a/b/one is pass'],
    ['a skipped requirement', fault, { 'a/b/one': 'skipped' }, 'a/b/one is skipped'],
    ['a second failure', fault, { 'a/b/one': 'fail', 'a/b/two': 'fail' }, 'a/b/two fails'],
    ['one not probed', { ...fault, failing: ['x/y/z'] }, {}, 'x/y/z '],
    ['a failure of a variant', variant, { 'a/b/two': 'fail' }, 'a/b/two fails'],
    ['an inconclusive variant', variant, { 'a/b/one': 'inconclusive' }, 'inconclusive'],
    ['a failure with any verdict', anyVerdict, { 'a/b/one': 'fail' }, 'a/b/one fails'],
    ['a skipped one with a tolerance', tolerant, skipped, 'a/b/one is skipped'],
    ['an unexpected pass', { ...tolerant, unjudged: ['a/b/one'] }, {}, 'a/b/one is pass'],
    ['another verdict', expecting, { 'a/b/two': 'pass' }, 'a/b/two is pass, expected skipped'],
  ])('reports %s', (_name, scenario, changed, text) => {
    expect(mismatches(scenario, reportOf(changed)).join('\n')).toContain(text)
  })

  it.each([
    ['actual', { ...evidence, actual: undefined }],
    ['exchange', { ...evidence, exchanges: [] }],
    ['exchange', { ...evidence, exchanges: ['e99'] }],
  ])('reports a failure without evidence: %s', (part, parts) => {
    const outcome = reportOf({ 'a/b/one': 'fail' }, parts)
    expect(mismatches(fault, outcome)).toEqual([expect.stringContaining(part)])
  })
})

describe('needMismatches', () => {
  const need: Scenario = { ...variant, kind: 'need', skipped: ['a/b/one'] }
  const noVerdict = { kind: 'needs', needs: [{ name: 'key', variables: ['KEY'] }] } as const

  it('reports other requirements than those skipped for the need', () => {
    const report = reportOf({ 'a/b/one': 'skipped' })
    const found = (scenario: Scenario, outcome: RunReport) =>
      needMismatches(scenario, outcome, reportOf())
    expect(found(need, report)).toEqual([expect.stringMatching(/^a\/b\/one .* skipped /)])
    const results = report.results.map((result) =>
      result.requirement === 'a/b/one' ? { ...result, noVerdict } : result,
    )
    expect(found(need, { ...report, results })).toEqual([])
    expect(found({ ...need, skipped: [] }, reportOf({ 'a/b/two': 'pass' }))).toEqual([
      expect.stringMatching(/^a\/b\/two .* skipped /),
    ])
  })

  const passing: Verdicts = { 'a/b/two': 'pass' }

  it.each<[boolean, Verdicts, number]>([
    [false, passing, 1],
    [false, {}, 0],
    [true, {}, 1],
    [true, { 'a/b/one': 'inconclusive' }, 0],
  ])(
    'requires fewer passes elsewhere, and none at another base URL: %s %o',
    (isBaseUrl, changed, count) => {
      const scenario: Scenario = { ...variant, elsewhere: { variable: 'NAME', isBaseUrl } }
      expect(needMismatches(scenario, reportOf(changed), reportOf(passing))).toHaveLength(count)
    },
  )
})

const failingWith = (actual: string) =>
  reportOf({ 'a/b/one': 'fail' }, { ...evidence, deviations: [{ expected: 'e', actual }] })

it.each([
  [0, 'token 0123456789abcdef', failingWith('token fedcba9876543210')],
  [1, 'status 500', reportOf()],
  [1, 'status 500', failingWith('status 404')],
])('rerunMismatches returns %i message for %s, ignoring random values', (count, whole, single) => {
  expect(rerunMismatches('a/b/one', failingWith(whole), single)).toHaveLength(count)
})
