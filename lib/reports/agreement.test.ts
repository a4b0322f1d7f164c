import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { enclosedContext } from '../cli/context.ts'
import { run } from '../cli/run.ts'
import type { RunReport, Verdict } from '../conformance/result.ts'
import { SharedThread } from '../prove/shared-thread.ts'
import { type RunOutcome, reportDisagreements } from './agreement.fixture.ts'
import { exitStatus, runVerdict } from './exit-status.ts'
import { junitXml } from './junit.ts'
import { readJunit } from './junit-reading.fixture.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { reviewedFixture } from './reviewed-report.fixture.ts'

const thread = new SharedThread()
const directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
afterAll(async () => {
  await thread.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the reports of a whole run', () => {
  it.each<[string, object, Record<string, string>]>([
    ['against the deployment as it is', {}, {}],
    ['against a fault', { fault: 'limit-not-lowered' }, {}],
    ['against a variant without every verdict', { variant: 'password-mistold-inconclusive' }, {}],
    [
      'that only advises',
      { fault: 'wrong-missing-credentials-message' },
      { PROBE_WORDING: 'advisory' },
    ],
    ['of one service', { service: ['incident-status'] }, {}],
  ])('%s agree', async (_name, options, environment) => {
    const context = { ...enclosedContext(directory, thread.pool), environment }
    const status = await run({ ...options, reports: directory }, context)
    const read = (name: string) => readFileSync(join(directory, name), 'utf8')
    const report: RunReport = JSON.parse(read('report.json'))
    const junit = readJunit(read('junit.xml'))
    expect(reportDisagreements({ report, junit, status })).toEqual([])
  })
})

const verdicts: Record<string, Verdict> = { 'a/b/one': 'pass', 'a/b/two': 'skipped' }
const shown = { expected: 'status 200', actual: 'status 500', exchanges: ['e1'] }

function reportOf(changed: Record<string, Verdict> = {}): RunReport {
  const results = Object.entries({ ...verdicts, ...changed }).map(([requirement, verdict]) =>
    resultFixture({ requirement, verdict, ...(verdict === 'fail' ? shown : {}) }),
  )
  const exchanges = [exchangeFixture({ id: 'e1' })]
  return reportFixture({ results, exchanges, verdict: runVerdict(results, false) })
}

function outcomeOf(report: RunReport, parts: Partial<RunOutcome> = {}): RunOutcome {
  return { report, status: exitStatus(report), junit: readJunit(junitXml(report)), ...parts }
}

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
    expect(reportDisagreements(outcomeOf(failed, parts)).join('\n')).toContain(text)
  })
})

describe('the lists of an operator', () => {
  const { waivers = [], baseline } = reviewedFixture()
  const listed = { ...reportOf(), waivers, ...(baseline === undefined ? {} : { baseline }) }
  const xml = junitXml(listed)

  it('agree in all reports and with the exit status', () => {
    expect(reportDisagreements(outcomeOf(listed))).toEqual([])
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
    expect(reportDisagreements(outcomeOf(listed, parts)).join('\n')).toContain(text)
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
