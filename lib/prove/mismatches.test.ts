import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { mismatches, needMismatches, rerunMismatches } from './mismatches.ts'
import type { Scenario } from './scenario.ts'

const verdicts: Record<string, Verdict> = { 'a/b/one': 'pass', 'a/b/two': 'skipped' }
const evidence = { expected: 'status 200', actual: 'status 500', exchanges: ['e1'] }

function reportOf(changed: Record<string, Verdict> = {}, parts: object = evidence): RunReport {
  const results = Object.entries({ ...verdicts, ...changed }).map(([requirement, verdict]) =>
    resultFixture({ requirement, verdict, ...(verdict === 'fail' ? parts : {}) }),
  )
  const exchanges = [exchangeFixture({ id: 'e1' })]
  return reportFixture({ results, exchanges, verdict: summarize({ results, run: {} }).verdict })
}

const variant: Scenario = {
  kind: 'variant',
  name: 'kept',
  services: [],
  failing: [],
  verdict: 'conformant',
  tolerances: [],
  noVerdict: [],
}

const fault: Scenario = {
  ...variant,
  kind: 'fault',
  name: 'broken',
  failing: ['a/b/one'],
  verdict: 'nonconformant',
}

describe('mismatches', () => {
  it('returns nothing if exactly the named requirements fail, and none in a variant', () => {
    expect(mismatches(fault, reportOf({ 'a/b/one': 'fail' }))).toEqual([])
    expect(mismatches(variant, reportOf())).toEqual([])
  })

  it.each<[string, Scenario, Record<string, Verdict>, string]>([
    ['a missed fault', fault, {}, 'a/b/one is pass'],
    ['a skipped requirement', fault, { 'a/b/one': 'skipped' }, 'a/b/one is skipped'],
    ['an inconclusive one', fault, { 'a/b/one': 'inconclusive' }, 'a/b/one is inconclusive'],
    ['an advisory one', fault, { 'a/b/one': 'advisory' }, 'a/b/one is advisory'],
    ['a second failure', fault, { 'a/b/one': 'fail', 'a/b/two': 'fail' }, 'a/b/two fails'],
    ['a failure of a variant', variant, { 'a/b/two': 'fail' }, 'a/b/two fails'],
    ['an inconclusive variant', variant, { 'a/b/one': 'inconclusive' }, 'inconclusive'],
  ])('reports %s', (_name, scenario, changed, text) => {
    expect(mismatches(scenario, reportOf(changed)).join('\n')).toContain(text)
  })

  it('reports an unexpected exit status', () => {
    const report = reportOf()
    const interrupted = { ...report, run: { ...report.run, interrupted: true } }
    expect(mismatches(variant, interrupted)).toEqual([expect.stringMatching(/ 3, expected 0$/)])
  })

  it('reports a requirement that was not probed', () => {
    const elsewhere = { ...fault, failing: ['a/b/one', 'x/y/z'] }
    expect(mismatches(elsewhere, reportOf({ 'a/b/one': 'fail' }))).toEqual([
      expect.stringMatching(/^x\/y\/z /),
    ])
  })

  it.each([
    ['expected', { ...evidence, expected: undefined }],
    ['actual', { ...evidence, actual: undefined }],
    ['exchange', { ...evidence, exchanges: [] }],
    ['exchange', { ...evidence, exchanges: ['e99'] }],
  ])('reports a failure without evidence: %s', (part, parts) => {
    const outcome = reportOf({ 'a/b/one': 'fail' }, parts)
    expect(mismatches(fault, outcome)).toEqual([expect.stringContaining(part)])
  })
})

describe('mismatches of a scenario with a tolerance', () => {
  const tolerant = { ...variant, tolerances: [{ requirement: 'a/b/one', name: 'any-order' }] }

  it('returns nothing if its requirement passes', () => {
    expect(mismatches(tolerant, reportOf())).toEqual([])
  })

  it('reports a skipped requirement, unless that is expected', () => {
    const outcome = reportOf({ 'a/b/one': 'skipped', 'a/b/two': 'pass' })
    expect(mismatches(tolerant, outcome)).toEqual([expect.stringMatching(/^a\/b\/one is skipped/)])
    expect(mismatches({ ...tolerant, noVerdict: ['a/b/one'] }, outcome)).toEqual([])
  })

  it('reports an unexpected pass', () => {
    const outcome = reportOf()
    expect(mismatches({ ...tolerant, noVerdict: ['a/b/one'] }, outcome)).toEqual([
      expect.stringMatching(/^a\/b\/one is pass/),
    ])
  })
})

describe('mismatches of a scenario with expected verdicts', () => {
  const bare: Scenario = { ...variant, expectedVerdicts: { 'a/b/two': 'skipped' } }

  it('reports any other verdict', () => {
    expect(mismatches(bare, reportOf())).toEqual([])
    expect(mismatches(bare, reportOf({ 'a/b/two': 'pass' }))).toEqual([
      'a/b/two is pass, expected skipped',
    ])
  })
})

describe('needMismatches', () => {
  const need: Scenario = { ...variant, kind: 'need', skipped: ['a/b/one'] }
  const unmodified = reportOf()
  const missing = { kind: 'needs', needs: [{ name: 'key', variables: ['KEY'] }] } as const

  it('reports other requirements than those skipped for the need', () => {
    const report = reportOf({ 'a/b/one': 'skipped' })
    expect(needMismatches(need, report, unmodified)).toEqual([
      expect.stringMatching(/^a\/b\/one .* skipped /),
    ])
    const results = report.results.map((result) =>
      result.requirement === 'a/b/one' ? { ...result, noVerdict: missing } : result,
    )
    expect(needMismatches(need, { ...report, results }, unmodified)).toEqual([])
    const further = reportOf({ 'a/b/two': 'pass' })
    expect(needMismatches({ ...need, skipped: [] }, further, unmodified)).toEqual([
      expect.stringMatching(/^a\/b\/two .* skipped /),
    ])
  })
})

describe('needMismatches of a variable that points elsewhere', () => {
  const unmodified = reportOf({ 'a/b/two': 'pass' })
  const elsewhere = (isBaseUrl: boolean, report: RunReport) => {
    const scenario: Scenario = { ...variant, elsewhere: { variable: 'NAME', isBaseUrl } }
    return needMismatches(scenario, report, unmodified).length
  }

  it('requires fewer passes, and none at another address', () => {
    expect(elsewhere(false, unmodified)).toBe(1)
    expect(elsewhere(false, reportOf())).toBe(0)
    expect(elsewhere(true, reportOf())).toBe(1)
    expect(elsewhere(true, reportOf({ 'a/b/one': 'inconclusive' }))).toBe(0)
  })

  it('accepts any verdict except a failure', () => {
    const scenario: Scenario = { ...variant, verdict: undefined }
    expect(mismatches(scenario, reportOf({ 'a/b/one': 'inconclusive' }))).toEqual([])
    expect(mismatches(scenario, reportOf({ 'a/b/one': 'fail' }))).toHaveLength(1)
  })
})

describe('rerunMismatches', () => {
  const failing = (actual: string) =>
    reportOf({ 'a/b/one': 'fail' }, { ...evidence, deviations: [{ expected: 'e', actual }] })

  it('ignores random values', () => {
    const [whole, single] = [failing('token 0123456789abcdef'), failing('token fedcba9876543210')]
    expect(rerunMismatches('a/b/one', whole, single)).toEqual([])
  })

  it.each([reportOf(), failing('status 404')])('reports a pass and another deviation', (single) => {
    expect(rerunMismatches('a/b/one', failing('status 500'), single)).toHaveLength(1)
  })
})
