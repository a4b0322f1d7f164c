import { expect, it } from 'vitest'
import { runFixture } from '../../reports/report.fixture.ts'
import { waiverFixture } from '../../reports/reviewed-report.fixture.ts'
import type { RunReport, WaiverState } from '../../results/run-report.ts'
import { differingConditions } from './run-differences.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const [one, two] = ['code-hosting/a/b', 'code-hosting/a/c']
const run = runFixture({ id: 'a', startedAt: '2026-02-03T02:00:00Z' })
const next = { ...run, id: 'b', startedAt: '2026-02-03T02:00:30Z' }
const waiver = (requirement: string, state: WaiverState) => waiverFixture({ requirement, state })

function conditions(before: Partial<RunReport>, after: Partial<RunReport>): string[] {
  return differingConditions(quietReport(before), quietReport(after))
}

it('returns all differences of two runs except the server', async () => {
  const before = {
    run: { ...next, interrupted: true, asOf: { version: '0.1.0', later: [one] } },
    target: {
      codeHosting: { baseUrl: 'https://git.example.com' },
      eventPublishing: { baseUrl: 'https://events.example.com' },
    },
    results: [resultOf(one, 'pass')],
    settings: {
      CODE_HOSTING_USERNAME: 'maria',
      EVENT_PUBLISHING_TOPIC: 'of a service that was probed before only',
      ...{ PROBE_CONCURRENCY: 8, PROBE_RETRIES: 1 },
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
  const texts = [...conditions(before, after), ...conditions({ run }, { run })]
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/conditions.txt')
})

const setting = (name: string, value: string) => ({ settings: { [name]: value } })
const [page, conflict] = ['INCIDENT_STATUS_PAGE', 'CODE_HOSTING_CONFLICT']

it.each<[string, Partial<RunReport>, Partial<RunReport>]>([
  ['a setting of a service that neither probed', setting(page, 'a'), setting(page, 'b')],
  ['verdicts', { results: [resultOf(one, 'pass')] }, { results: [resultOf(one, 'fail')] }],
  ['waivers', { waivers: [waiver(one, 'used')] }, { waivers: [waiver(one, 'unused')] }],
  ['a value that one report left out', setting(conflict, 'a'), setting(conflict, `$${conflict}`)],
])('ignores %s', (_name, before, after) => {
  expect(conditions({ run, ...before }, { run: next, ...after })).toEqual([])
})
