import { describe, expect, it } from 'vitest'
import type { RunReport, Verdict } from '../../conformance/result.ts'
import { exitStatus, runVerdict } from '../../reports/exit-status.ts'
import { junitXml } from '../../reports/junit.ts'
import { exchangeFixture, reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import { reviewedFixture } from '../../reports/reviewed-report.fixture.ts'
import type { RunOutcome } from './agreement.ts'
import { disagreements } from './disagreements.ts'
import { readJunit } from './junit-reading.ts'
import type { Subject } from './subject.ts'

const verdicts: Record<string, Verdict> = { 'a/b/one': 'pass', 'a/b/two': 'skipped' }
const shown = { expected: 'status 200', actual: 'status 500', exchanges: ['e1'] }

function reportOf(changed: Record<string, Verdict> = {}, parts: object = shown): RunReport {
  const results = Object.entries({ ...verdicts, ...changed }).map(([requirement, verdict]) =>
    resultFixture({ requirement, verdict, ...(verdict === 'fail' ? parts : {}) }),
  )
  const exchanges = [exchangeFixture({ id: 'e1' })]
  return reportFixture({ results, exchanges, verdict: runVerdict(results, false) })
}

function outcomeOf(report: RunReport, parts: Partial<RunOutcome> = {}): RunOutcome {
  return { report, status: exitStatus(report), junit: readJunit(junitXml(report)), ...parts }
}

const variant: Subject = {
  kind: 'variant',
  name: 'kept',
  services: [],
  failing: [],
  verdict: 'conformant',
  tolerances: [],
  unjudged: [],
}

const fault: Subject = {
  ...variant,
  kind: 'fault',
  name: 'broken',
  failing: ['a/b/one'],
  verdict: 'nonconformant',
}

describe('a proof', () => {
  it('holds when exactly the named requirements fail, and none in a variant', () => {
    expect(disagreements(fault, outcomeOf(reportOf({ 'a/b/one': 'fail' })))).toEqual([])
    expect(disagreements(variant, outcomeOf(reportOf()))).toEqual([])
  })

  it.each<[string, Subject, Record<string, Verdict>, string]>([
    ['a fault that stays green', fault, {}, 'a/b/one stays pass'],
    ['a fault that is left out', fault, { 'a/b/one': 'skipped' }, 'a/b/one stays skipped'],
    ['a fault without a verdict', fault, { 'a/b/one': 'inconclusive' }, 'stays inconclusive'],
    ['a fault that is only advised of', fault, { 'a/b/one': 'advisory' }, 'stays advisory'],
    ['a second failure', fault, { 'a/b/one': 'fail', 'a/b/two': 'fail' }, 'a/b/two fails, and'],
    ['a failure of a variant', variant, { 'a/b/two': 'fail' }, 'a/b/two fails, and nothing'],
    ['a variant without a verdict', variant, { 'a/b/one': 'inconclusive' }, 'is inconclusive, and'],
  ])('does not hold for %s', (_name, subject, changed, text) => {
    expect(disagreements(subject, outcomeOf(reportOf(changed))).join('\n')).toContain(text)
  })

  it('does not hold for a fault of what was not probed', () => {
    const elsewhere = { ...fault, failing: ['a/b/one', 'x/y/z'] }
    expect(disagreements(elsewhere, outcomeOf(reportOf({ 'a/b/one': 'fail' })))).toEqual([
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
    expect(disagreements(fault, outcome)).toEqual([expect.stringContaining(what)])
  })
})

describe('a tolerance', () => {
  const tolerant = { ...variant, tolerances: ['a/b/one/any-order'] }

  it('is tried when its requirement passes', () => {
    expect(disagreements(tolerant, outcomeOf(reportOf()))).toEqual([])
  })

  it('is not tried when its requirement is skipped', () => {
    const outcome = outcomeOf(reportOf({ 'a/b/one': 'skipped', 'a/b/two': 'pass' }))
    expect(disagreements(tolerant, outcome)).toEqual([
      'a/b/one is skipped, and a tolerance of it was to be tried',
    ])
    expect(disagreements({ ...tolerant, unjudged: ['a/b/one'] }, outcome)).toEqual([])
  })

  it('is not passed over when its requirement has a verdict after all', () => {
    const outcome = outcomeOf(reportOf())
    expect(disagreements({ ...tolerant, unjudged: ['a/b/one'] }, outcome)).toEqual([
      'a/b/one is pass, and was to get no verdict',
    ])
  })
})

describe('a requirement of which the variant tells what becomes of it', () => {
  const bare: Subject = { ...variant, becoming: { 'a/b/two': 'skipped' } }

  it('has that verdict and no other', () => {
    expect(disagreements(bare, outcomeOf(reportOf()))).toEqual([])
    expect(disagreements(bare, outcomeOf(reportOf({ 'a/b/two': 'pass' })))).toEqual([
      'a/b/two is pass, and was to be skipped',
    ])
  })
})

describe('the reports of a run', () => {
  const failed = reportOf({ 'a/b/one': 'fail' })
  const xml = junitXml(failed)

  it.each<[string, Partial<RunOutcome>, string]>([
    ['the exit status', { status: 0 }, 'exit status 0, where the cases say 1'],
    ['the exit status of a defect', { status: 3 }, 'exit status 3'],
    [
      'the conclusion',
      { report: { ...failed, verdict: 'conformant' } },
      'report.json concludes conformant',
    ],
    [
      'a failure that came out green',
      { junit: readJunit(xml.replace(/<failure[\s\S]*<\/failure>/, '')) },
      'a/b/one is fail in report.json, and fail, a case passed in junit.xml',
    ],
    [
      'a failure that is reported as an error',
      { junit: readJunit(xml.replaceAll(/(<\/?)failure/g, '$1error')) },
      'a case error in junit.xml',
    ],
    [
      'a case that is missing',
      { junit: readJunit(xml.replace(/<testcase[\s\S]*?<\/testcase>/, '')) },
      'a/b/one is fail in report.json, and nothing in junit.xml',
    ],
    [
      'a case too many',
      { report: { ...failed, results: failed.results.slice(0, 1) } },
      'a/b/two is in junit.xml alone',
    ],
    [
      'a count',
      { junit: readJunit(xml.replace('failures="1"', 'failures="0"')) },
      'junit.xml: the root tells 2 tests, 0 failures, 0 errors, 1 skipped, and has 2 tests, 1',
    ],
  ])('disagree about %s', (_name, parts, text) => {
    expect(disagreements(fault, outcomeOf(failed, parts)).join('\n')).toContain(text)
  })
})

describe('the lists of an operator', () => {
  const { waivers = [], baseline } = reviewedFixture()
  const listed = { ...reportOf(), waivers, ...(baseline === undefined ? {} : { baseline }) }
  const xml = junitXml(listed)

  it('agree in all reports and with the exit status', () => {
    expect(disagreements(variant, outcomeOf(listed))).toEqual([])
    expect(outcomeOf(listed).status).toBe(1)
  })

  it.each<[string, Partial<RunOutcome>, string]>([
    ['the exit status', { status: 0 }, 'exit status 0, where the cases say 1'],
    [
      'a waiver that came out green',
      { junit: readJunit(xml.replace(/<failure[^>]*waiver expired[\s\S]*?<\/failure>/, '')) },
      'the suite waivers of junit.xml is not what report.json tells',
    ],
    [
      'a waiver that is missing',
      { report: { ...listed, waivers: waivers.slice(1) } },
      'the suite waivers of junit.xml is not what report.json tells',
    ],
    [
      'a baseline that is not pinned',
      { report: { ...listed, baseline: { pinned: false, observations: [] } } },
      'the suite baseline of junit.xml is not what report.json tells',
    ],
    [
      'a conclusion about more than requirements',
      { report: { ...listed, verdict: 'nonconformant' } },
      'report.json concludes nonconformant, where the cases say conformant',
    ],
  ])('disagree about %s', (_name, parts, text) => {
    expect(disagreements(variant, outcomeOf(listed, parts)).join('\n')).toContain(text)
  })
})

describe('a junit.xml', () => {
  it('that is cut off is not read', () => {
    const xml = junitXml(reportOf())
    expect(() => readJunit(xml.slice(0, -20))).toThrow()
  })

  it('with a case that is two things at once is not read', () => {
    const xml = junitXml(reportOf({ 'a/b/one': 'fail' }))
    expect(() => readJunit(xml.replace('<failure', '<skipped/><failure'))).toThrow(
      'a/b/one is failure and skipped',
    )
  })
})
