import { expect, it } from 'vitest'
import type { ReviewedWaiver, RunReport, WaiverState } from '../conformance/result.ts'
import { differingConditions } from './conditions.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const [one, two] = ['code-hosting/a/b', 'code-hosting/a/c']
const run = { id: 'a', startedAt: '2026-02-03T02:00:00Z', finishedAt: '2026-02-03T02:01:00Z' }
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
    run: { ...next, interrupted: true },
    target: {
      codeHosting: { baseUrl: 'https://git.example.com' },
      eventPublishing: { baseUrl: 'https://events.example.com' },
    },
    results: [resultOf(one, 'pass')],
    settings: { CODE_HOSTING_USERNAME: 'maria', PROBE_CONCURRENCY: 8, PROBE_RETRIES: 1 },
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
    'target: code-hosting was at https://git.example.com before, and the embedded reference deployment after',
    'target: event-publishing was probed before, and not after',
    'target: incident-status was probed after, and not before',
    'selection: requirements were left out: only after for code-hosting/a/b',
    'account: CODE_HOSTING_USERNAME is maria before, and oscar after',
    'setting: PROBE_CONCURRENCY is 8 before, and 4 after',
    'setting: PROBE_RETRIES is set before, and not after',
    'waivers: the runs had other waivers: only before for code-hosting/a/b; only after for code-hosting/a/c',
    'tool: Plumbline 0.1.0 judged before, and Plumbline 0.2.0 after',
  ])
  expect(conditions({ run }, { run })).toEqual(['run: both reports are of the same run'])
})

it.each<[string, Partial<RunReport>, Partial<RunReport>]>([
  ['verdicts', { results: [resultOf(one, 'pass')] }, { results: [resultOf(one, 'fail')] }],
  ['waivers', { waivers: [waiver(one, 'used')] }, { waivers: [waiver(one, 'unneeded')] }],
  ['settings of another service', { settings: { EVENT_PUBLISHING_EVENT_TYPE: 'a' } }, {}],
  [
    'a value that one report left out',
    { settings: { CODE_HOSTING_CONFLICT: 'POST /a' } },
    { settings: { CODE_HOSTING_CONFLICT: '$CODE_HOSTING_CONFLICT' } },
  ],
])('does not tell %s', (_name, before, after) => {
  expect(conditions({ run, ...before }, { run: next, ...after })).toEqual([])
})
