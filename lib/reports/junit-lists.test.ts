import { describe, expect, it } from 'vitest'
import type { ReviewedPin } from '../conformance/result.ts'
import { jenkinsProblemsOfKnownParts, xmlProblems } from './jenkins-schema.fixture.ts'
import { junitXml } from './junit.ts'
import { toldByJunit2json, toldByTestResultsParser } from './junit-readers.fixture.ts'
import { hostileText } from './report.fixture.ts'
import { reviewedFixture, waiverFixture } from './reviewed-report.fixture.ts'

const report = reviewedFixture()
const xml = junitXml(report)

async function casesOf(suite: string, text = xml): Promise<string[]> {
  const { cases } = await toldByJunit2json(text)
  return cases
    .filter((told) => told.suite === suite)
    .map(({ name, outcome, message }) => `${name} ${outcome}${message ? `: ${message}` : ''}`)
}

describe('a junit.xml with waivers and a baseline', () => {
  it('is well-formed and valid', async () => {
    expect(await xmlProblems(xml)).toEqual([])
    expect(await jenkinsProblemsOfKnownParts(xml)).toEqual([])
  })

  it('has a case for each waiver, failed where it fails the run', async () => {
    expect(await casesOf('waivers')).toEqual([
      'code-hosting/pagination/limit-capped passed',
      'code-hosting/pagination/limit-lowered failure: waiver expired: This one is expired.',
      'code-hosting/resources/user failure: waiver unneeded: This one is unneeded.',
      'code-hosting/resources/usr failure: waiver unknown: This one is unknown.',
      'code-hosting/authentication/sudo-header skipped: unjudged: This one is unjudged.',
      'event-publishing/publish/accepted skipped: aside: This one is aside.',
    ])
  })

  it('has a case for each observation, failed where a change is pinned', async () => {
    const others = [
      'code-hosting/tokens/unknown-scope skipped: missing: was 400, and was not observed this time',
      'code-hosting/resources/user-fields skipped: new: is {"type":"object"}, and the baseline does not have it',
      'event-publishing/publish/status passed',
    ]
    expect(await casesOf('baseline')).toEqual([
      'code-hosting/errors/malformed-body failure: changed: was 400, is 422',
      ...others,
    ])
    const { observations } = report.baseline ?? { observations: [] }
    const unpinned = junitXml({ ...report, baseline: { pinned: false, observations } })
    expect(await casesOf('baseline', unpinned)).toEqual([
      'code-hosting/errors/malformed-body skipped: changed: was 400, is 422',
      ...others,
    ])
  })

  it('has a waived row skipped, with who answers for it and what deviates', async () => {
    expect(await casesOf('code-hosting/pagination')).toContain(
      'limit-capped skipped: waived: Platform team, until 2026-02-10: The proxy in front has a limit of its own. (https://tracker.example.com/PLAT-12); expected X-PerPage: 25, actual X-PerPage: 50',
    )
  })

  it('counts what it has', async () => {
    const { counts, cases } = toldByTestResultsParser(xml)
    const failures = cases.filter(({ outcome }) => outcome === 'failure').length
    expect(counts.failures + counts.errors).toBe(failures)
    expect((await toldByJunit2json(xml)).counts).toEqual({ failures: 6, errors: 1, skipped: 9 })
  })

  it('obeys no text', async () => {
    const text = `${hostileText} [[ATTACHMENT|/etc/passwd]]`
    const waivers = [waiverFixture({ state: 'expired', message: text, reason: text, owner: text })]
    const pin: ReviewedPin = { id: 'a/b/c', state: 'changed', before: text, exchanges: [] }
    const baseline = { pinned: true, observations: [pin] }
    const hostile = junitXml(reviewedFixture({ waivers, baseline }))
    expect(await xmlProblems(hostile)).toEqual([])
    expect(toldByTestResultsParser(hostile).attachments).toEqual([])
  })
})
