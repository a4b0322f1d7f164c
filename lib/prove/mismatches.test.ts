import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { mismatches, otherThanPlain, otherwiseAlone, type RunOutcome } from './mismatches.ts'
import type { Scenario } from './scenario.ts'

const verdicts: Record<string, Verdict> = { 'a/b/one': 'pass', 'a/b/two': 'skipped' }
const shown = { expected: 'status 200', actual: 'status 500', exchanges: ['e1'] }

function reportOf(changed: Record<string, Verdict> = {}, parts: object = shown): RunReport {
  const results = Object.entries({ ...verdicts, ...changed }).map(([requirement, verdict]) =>
    resultFixture({ requirement, verdict, ...(verdict === 'fail' ? parts : {}) }),
  )
  const exchanges = [exchangeFixture({ id: 'e1' })]
  return reportFixture({ results, exchanges, verdict: summarize({ results, run: {} }).verdict })
}

function outcomeOf(report: RunReport): RunOutcome {
  return { report, status: summarize(report).exitStatus }
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

const fault: Scenario = {
  ...variant,
  kind: 'fault',
  name: 'broken',
  failing: ['a/b/one'],
  verdict: 'nonconformant',
}

describe('a proof', () => {
  it('holds when exactly the named requirements fail, and none in a variant', () => {
    expect(mismatches(fault, outcomeOf(reportOf({ 'a/b/one': 'fail' })))).toEqual([])
    expect(mismatches(variant, outcomeOf(reportOf()))).toEqual([])
  })

  it.each<[string, Scenario, Record<string, Verdict>, string]>([
    ['a fault that stays green', fault, {}, 'a/b/one stays pass'],
    ['a fault that is left out', fault, { 'a/b/one': 'skipped' }, 'a/b/one stays skipped'],
    ['a fault without a verdict', fault, { 'a/b/one': 'inconclusive' }, 'stays inconclusive'],
    ['a fault that is only advised of', fault, { 'a/b/one': 'advisory' }, 'stays advisory'],
    ['a second failure', fault, { 'a/b/one': 'fail', 'a/b/two': 'fail' }, 'a/b/two fails, and'],
    ['a failure of a variant', variant, { 'a/b/two': 'fail' }, 'a/b/two fails, and nothing'],
    ['a variant without a verdict', variant, { 'a/b/one': 'inconclusive' }, 'is inconclusive, and'],
  ])('does not hold for %s', (_name, subject, changed, text) => {
    expect(mismatches(subject, outcomeOf(reportOf(changed))).join('\n')).toContain(text)
  })

  it('does not hold with an exit status that says something else', () => {
    const outcome = { ...outcomeOf(reportOf({ 'a/b/one': 'fail' })), status: 0 }
    expect(mismatches(fault, outcome)).toEqual(['the exit status is 0, and was to be 1'])
  })

  it('does not hold for a fault of what was not probed', () => {
    const elsewhere = { ...fault, failing: ['a/b/one', 'x/y/z'] }
    expect(mismatches(elsewhere, outcomeOf(reportOf({ 'a/b/one': 'fail' })))).toEqual([
      'x/y/z is no requirement of what was probed',
    ])
  })

  it.each([
    ['what was expected', { ...shown, expected: undefined }],
    ['what there was', { ...shown, actual: undefined }],
    ['an exchange', { ...shown, exchanges: [] }],
    ['an exchange', { ...shown, exchanges: ['e99'] }],
  ])('does not hold for a failure without %s', (what, parts) => {
    const outcome = outcomeOf(reportOf({ 'a/b/one': 'fail' }, parts))
    expect(mismatches(fault, outcome)).toEqual([expect.stringContaining(what)])
  })
})

describe('a tolerance', () => {
  const tolerant = { ...variant, tolerances: ['a/b/one/any-order'] }

  it('is tried when its requirement passes', () => {
    expect(mismatches(tolerant, outcomeOf(reportOf()))).toEqual([])
  })

  it('is not tried when its requirement is skipped', () => {
    const outcome = outcomeOf(reportOf({ 'a/b/one': 'skipped', 'a/b/two': 'pass' }))
    expect(mismatches(tolerant, outcome)).toEqual([
      'a/b/one is skipped, and a tolerance of it was to be tried',
    ])
    expect(mismatches({ ...tolerant, unjudged: ['a/b/one'] }, outcome)).toEqual([])
  })

  it('is not passed over when its requirement has a verdict after all', () => {
    const outcome = outcomeOf(reportOf())
    expect(mismatches({ ...tolerant, unjudged: ['a/b/one'] }, outcome)).toEqual([
      'a/b/one is pass, and was to get no verdict',
    ])
  })
})

describe('a requirement of which the variant tells what becomes of it', () => {
  const bare: Scenario = { ...variant, expectedVerdicts: { 'a/b/two': 'skipped' } }

  it('has that verdict and no other', () => {
    expect(mismatches(bare, outcomeOf(reportOf()))).toEqual([])
    expect(mismatches(bare, outcomeOf(reportOf({ 'a/b/two': 'pass' })))).toEqual([
      'a/b/two is pass, and was to be skipped',
    ])
  })
})

describe('a deployment without a need', () => {
  const need: Scenario = { ...variant, kind: 'need', skipped: ['a/b/one'] }
  const plain = reportOf()
  const missing = { kind: 'needs', needs: [{ name: 'key', variables: ['KEY'] }] } as const

  it('skips what declares it, for want of it, and changes nothing else', () => {
    const report = reportOf({ 'a/b/one': 'skipped' })
    expect(otherThanPlain(need, report, plain)).toEqual([
      expect.stringContaining('a/b/one declares the need, and is skipped'),
    ])
    const results = report.results.map((result) =>
      result.requirement === 'a/b/one' ? { ...result, unjudged: missing } : result,
    )
    expect(otherThanPlain(need, { ...report, results }, plain)).toEqual([])
    const further = reportOf({ 'a/b/two': 'pass' })
    expect(otherThanPlain({ ...need, skipped: [] }, further, plain)).toEqual([
      expect.stringContaining('a/b/two declares no such need, and is no longer skipped'),
    ])
  })
})

describe('a deployment of which a variable points elsewhere', () => {
  const plain = reportOf({ 'a/b/two': 'pass' })
  const elsewhere = (isBaseUrl: boolean, report: RunReport) => {
    const subject: Scenario = { ...variant, elsewhere: { variable: 'NAME', isBaseUrl } }
    return otherThanPlain(subject, report, plain).length
  }

  it('passes less than before, and nothing at another address', () => {
    expect(elsewhere(false, plain)).toBe(1)
    expect(elsewhere(false, reportOf())).toBe(0)
    expect(elsewhere(true, reportOf())).toBe(1)
    expect(elsewhere(true, reportOf({ 'a/b/one': 'inconclusive' }))).toBe(0)
  })

  it('may have any verdict but a failure', () => {
    const subject: Scenario = { ...variant, verdict: undefined }
    expect(mismatches(subject, outcomeOf(reportOf({ 'a/b/one': 'inconclusive' })))).toEqual([])
    expect(mismatches(subject, outcomeOf(reportOf({ 'a/b/one': 'fail' })))).toHaveLength(1)
  })
})

describe('a failure', () => {
  const failing = (actual: string) =>
    reportOf({ 'a/b/one': 'fail' }, { ...shown, deviations: [{ expected: 'e', actual }] })

  it('is the same when its requirement is judged alone, apart from what each run makes up', () => {
    const [whole, alone] = [failing('token 0123456789abcdef'), failing('token fedcba9876543210')]
    expect(otherwiseAlone('a/b/one', whole, alone)).toEqual([])
  })

  it.each([reportOf(), failing('status 404')])('is not found again by other traffic', (alone) => {
    expect(otherwiseAlone('a/b/one', failing('status 500'), alone)).toHaveLength(1)
  })
})
