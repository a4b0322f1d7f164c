import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { enclosedContext } from '../cli/context.ts'
import { run } from '../cli/run.ts'
import type { RunReport } from '../conformance/result.ts'
import { SharedThread } from '../prove/shared-thread.ts'
import { type RunOutcome, reportDisagreements } from './agreement.fixture.ts'
import { exitStatus } from './exit-status.ts'
import { junitXml } from './junit.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
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
    const junit = read('junit.xml')
    expect(reportDisagreements({ report, junit, status })).toEqual([])
  })
})

describe('the check of that', () => {
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict: 'fail', expected: 'one', actual: 'two' }),
    resultFixture({ requirement: 'a/b/two', verdict: 'skipped' }),
  ]
  const { waivers = [], baseline } = reviewedFixture()
  const report = reportFixture({ results, waivers, ...(baseline ? { baseline } : {}) })
  const junit = junitXml(report)

  it.each<[string, Partial<RunOutcome>, string]>([
    ['a good run', {}, ''],
    ['the exit status', { status: 0 }, 'exit status 0, where the cases say 1'],
    [
      'the conclusion',
      { report: { ...report, verdict: 'conformant' } },
      'report.json concludes conformant',
    ],
    [
      'a failure that came out green',
      { junit: junit.replace(/<failure[^>]*expected one[\s\S]*?<\/failure>/, '') },
      'junit.xml has no a/b/one fail failure',
    ],
    [
      'a case too many',
      { report: { ...report, results: results.slice(0, 1) } },
      'junit.xml alone has a/b/two skipped skipped',
    ],
    [
      'a count',
      { junit: junit.replace('failures="5"', 'failures="4"') },
      'testsuites says 4 failures, and has 5',
    ],
    [
      'a waiver that is missing',
      { report: { ...report, waivers: waivers.slice(0, -1) } },
      'junit.xml alone has waivers event-publishing/publish/accepted aside skipped',
    ],
  ])('tells of %s', (_name, parts, text) => {
    const told = reportDisagreements({ report, junit, status: exitStatus(report), ...parts })
    expect(told.join('\n')).toContain(text)
    expect(told.length > 0).toBe(text !== '')
  })
})
