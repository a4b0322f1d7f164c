import { expect, it } from 'vitest'
import { runFixture } from '../../reports/report.fixture.ts'
import type { ReviewedWaiver, RunReport, WaiverState } from '../../results/run-report.ts'
import { differingConditions } from './run-differences.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const [one, two] = ['code-hosting/a/b', 'code-hosting/a/c']
const run = runFixture({
  id: 'a',
  startedAt: '2026-02-03T02:00:00Z',
  finishedAt: '2026-02-03T02:01:00Z',
})
const next = { ...run, id: 'b', startedAt: '2026-02-03T02:00:30Z' }

const waiver = (requirement: string, state: WaiverState): ReviewedWaiver => ({
  ...{ requirement, reason: 'known', owner: 'Maria', expires: '2027-01-31' },
  ...{ state, message: 'why' },
})

function conditions(before: Partial<RunReport>, after: Partial<RunReport>): string[] {
  const found = differingConditions(quietReport(before), quietReport(after))
  return found.map(({ kind, text }) => `${kind}: ${text}`)
}

it('tells everything in which two runs differ besides the server', () => {
  const before = {
    run: { ...next, interrupted: true, seed: 20261123, asOf: { version: '0.1.0', later: [one] } },
    target: {
      codeHosting: { baseUrl: 'https://git.example.com' },
      eventPublishing: { baseUrl: 'https://events.example.com' },
    },
    results: [resultOf(one, 'pass')],
    settings: {
      CODE_HOSTING_USERNAME: 'maria',
      EVENT_PUBLISHING_TOPIC: 'of a service that was probed before only',
      PROBE_CONCURRENCY: 8,
      PROBE_RETRIES: 1,
    },
    waivers: [waiver(one, 'used')],
  }
  const after = {
    run,
    tool: { name: 'plumbline', version: '0.2.0' } as const,
    target: {
      codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true },
      incidentStatus: { baseUrl: 'https://status.example.com' },
    },
    results: [unselectedOf(one)],
    settings: { CODE_HOSTING_USERNAME: 'oscar', PROBE_CONCURRENCY: 4 },
    waivers: [waiver(one, 'expired'), waiver(two, 'used')],
  }
  expect(conditions(before, after)).toEqual([
    'run: the run after began before the other: are the two in order?',
    'run: the run before was interrupted',
    'target: code-hosting: https://git.example.com before, the reference server after',
    'target: event-publishing: https://events.example.com before, not probed after',
    'target: incident-status: not probed before, https://status.example.com after',
    'selection: requirements left out: none before, code-hosting/a/b after',
    'selection: seed of the samples: 20261123 before, 1 after',
    'account: CODE_HOSTING_USERNAME: maria before, oscar after',
    'setting: PROBE_CONCURRENCY: 8 before, 4 after',
    'setting: PROBE_RETRIES: 1 before, not set after',
    'setting: --as-of: 0.1.0 before, none after',
    'waivers: requirements waived: code-hosting/a/b before, code-hosting/a/c after',
    'tool: Plumbline: 0.1.0 before, 0.2.0 after',
  ])
  expect(conditions({ run }, { run })).toEqual(['run: both reports are of the same run'])
})

it.each<[string, Partial<RunReport>, Partial<RunReport>]>([
  [
    'a setting of a service that neither probed',
    { settings: { INCIDENT_STATUS_PAGE: 'a' } },
    { settings: { INCIDENT_STATUS_PAGE: 'b' } },
  ],
  ['verdicts', { results: [resultOf(one, 'pass')] }, { results: [resultOf(one, 'fail')] }],
  ['waivers', { waivers: [waiver(one, 'used')] }, { waivers: [waiver(one, 'unused')] }],
  [
    'a value that one report left out',
    { settings: { CODE_HOSTING_CONFLICT: 'POST /a' } },
    { settings: { CODE_HOSTING_CONFLICT: '$CODE_HOSTING_CONFLICT' } },
  ],
])('does not tell %s', (_name, before, after) => {
  expect(conditions({ run, ...before }, { run: next, ...after })).toEqual([])
})
