import { expect, it } from 'vitest'
import type { ReviewedWaiver, RunReport, WaiverState } from '../conformance/result.ts'
import { differingConditions } from './conditions.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const early = {
  id: 'a',
  startedAt: '2026-02-03T02:00:00.000Z',
  finishedAt: '2026-02-03T02:01:00.000Z',
}
const late = { ...early, id: 'b', startedAt: '2026-02-03T02:00:30.000Z' }

const passed = resultOf('code-hosting/a/b', 'pass')
const unselected = unselectedOf('code-hosting/a/b')
const at = (name: string, embedded?: true) => ({
  baseUrl: `https://${name}.example.com`,
  ...(embedded && { embedded }),
})

const waiver = (requirement: string, state: WaiverState = 'used'): ReviewedWaiver => ({
  requirement,
  reason: 'known',
  owner: 'Maria',
  expires: '2027-01-31',
  state,
  message: 'why',
})
const [one, two] = ['code-hosting/a/b', 'code-hosting/a/c']

const settings = {
  CODE_HOSTING_USERNAME: 'maria',
  CODE_HOSTING_MAX_RESPONSE_ITEMS: 25,
  CODE_HOSTING_OTP_SECRET: '$CODE_HOSTING_OTP_SECRET',
  PROBE_READ_ONLY: false,
}

it.each<[string, Partial<RunReport>, Partial<RunReport>, string[]]>([
  ['nothing', { settings }, { settings }, []],
  ['verdicts', { results: [passed] }, { results: [resultOf(one, 'fail')] }, []],
  [
    'their order',
    { run: late },
    { run: early },
    ['run: the run after began before the other: are the two in order?'],
  ],
  ['no run at all', {}, { run: early }, ['run: both reports are of the same run']],
  [
    'that one was interrupted',
    { run: { ...early, interrupted: true } },
    {},
    ['run: the run before was interrupted'],
  ],
  [
    'what they probed, and where',
    { target: { codeHosting: at('git'), eventPublishing: at('events') } },
    { target: { codeHosting: at('other', true), incidentStatus: at('status') } },
    [
      'target: code-hosting was at https://git.example.com before, and the embedded reference deployment after',
      'target: event-publishing was probed before, and not after',
      'target: incident-status was probed after, and not before',
    ],
  ],
  [
    'what was selected',
    { results: [passed] },
    { results: [unselected] },
    ['selection: requirements were left out: only after for code-hosting/a/b'],
  ],
  ['nothing of what was selected', { results: [unselected] }, { results: [unselected] }, []],
  [
    'the version of Plumbline',
    {},
    { tool: { name: 'plumbline', version: '0.2.0' } },
    ['tool: Plumbline 0.1.0 judged before, and Plumbline 0.2.0 after'],
  ],
  [
    'their waivers that count',
    { waivers: [waiver(one)] },
    { waivers: [waiver(one, 'expired'), waiver(two)] },
    [
      'waivers: the runs had other waivers: only before for code-hosting/a/b; only after for code-hosting/a/c',
    ],
  ],
  ['no waivers', { waivers: [waiver(one)] }, { waivers: [waiver(one, 'unneeded')] }, []],
  [
    'their settings',
    { settings },
    { settings: { CODE_HOSTING_USERNAME: 'oscar', CODE_HOSTING_MAX_RESPONSE_ITEMS: 50 } },
    [
      'account: CODE_HOSTING_USERNAME is maria before, and oscar after',
      'setting: CODE_HOSTING_MAX_RESPONSE_ITEMS is 25 before, and 50 after',
      'setting: CODE_HOSTING_OTP_SECRET is set before, and not after',
      'setting: PROBE_READ_ONLY is set before, and not after',
    ],
  ],
  [
    'a value that one report left out, or in another service',
    { settings: { EVENT_PUBLISHING_EVENT_TYPE: 'a', CODE_HOSTING_CONFLICT: 'POST /a' } },
    { settings: { CODE_HOSTING_CONFLICT: '$CODE_HOSTING_CONFLICT' } },
    [],
  ],
])('runs that differ in %s', (_name, before, after, expected) => {
  const reports = [quietReport({ run: early, ...before }), quietReport({ run: late, ...after })]
  const found = differingConditions(...(reports as [RunReport, RunReport]))
  expect(found.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(expected)
})
