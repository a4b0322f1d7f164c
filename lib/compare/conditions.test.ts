import { describe, expect, it } from 'vitest'
import type { ReviewedWaiver, RunReport, WaiverState } from '../conformance/result.ts'
import { differingConditions } from './conditions.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const early = {
  id: 'a',
  startedAt: '2026-02-03T02:00:00.000Z',
  finishedAt: '2026-02-03T02:01:00.000Z',
}
const late = {
  id: 'b',
  startedAt: '2026-02-04T02:00:00.000Z',
  finishedAt: '2026-02-04T02:01:00.000Z',
}

function texts(before: Partial<RunReport>, after: Partial<RunReport>): string[] {
  return differingConditions(
    quietReport({ run: early, ...before }),
    quietReport({ run: late, ...after }),
  ).map(({ kind, text }) => `${kind}: ${text}`)
}

const passed = resultOf('code-hosting/a/b', 'pass')

describe('runs that differ in nothing but the server', () => {
  it('have no differing conditions', () => {
    expect(texts({}, {})).toEqual([])
    expect(
      texts({ results: [passed] }, { results: [resultOf('code-hosting/a/b', 'fail')] }),
    ).toEqual([])
  })
})

describe('runs that differ', () => {
  it('in their order, or are the same one', () => {
    expect(texts({ run: late }, { run: early })).toEqual([
      'run: the run that was given as the later one began before the other: are the two in order?',
    ])
    expect(texts({}, { run: early })).toEqual(['run: both reports are of the same run'])
  })

  it('in that one was interrupted', () => {
    expect(texts({ run: { ...early, interrupted: true } }, {})).toEqual([
      'run: the run before was interrupted',
    ])
    expect(texts({}, { run: { ...late, interrupted: true } })).toEqual([
      'run: the run after was interrupted',
    ])
  })

  it('in what they probed, and where', () => {
    const baseUrl = 'https://git.example.com'
    const events = { baseUrl: 'https://events.example.com' }
    expect(
      texts(
        { target: { codeHosting: { baseUrl }, eventPublishing: events } },
        { target: { codeHosting: { baseUrl: 'https://git.example.org' }, incidentStatus: events } },
      ),
    ).toEqual([
      'target: code-hosting was at https://git.example.com before, and at https://git.example.org after',
      'target: event-publishing was probed before, and not after',
      'target: incident-status was probed after, and not before',
    ])
    expect(texts({}, { target: { codeHosting: { baseUrl, embedded: true } } })).toEqual([
      'target: code-hosting was at https://git.example.com before, and at the embedded reference deployment after',
    ])
  })

  it('in what was selected', () => {
    const unselected = unselectedOf('code-hosting/a/b')
    expect(texts({ results: [passed] }, { results: [unselected] })).toEqual([
      'selection: not everything was selected: after, 1 requirement left out',
    ])
    expect(texts({ results: [unselected] }, { results: [unselected] })).toEqual([])
  })

  it('in the version of Plumbline', () => {
    expect(texts({}, { tool: { name: 'plumbline', version: '0.2.0' } })).toEqual([
      'tool: Plumbline 0.1.0 judged before, and Plumbline 0.2.0 after',
    ])
  })

  it('in their waivers', () => {
    const waiver = (requirement: string, state: WaiverState = 'used'): ReviewedWaiver => ({
      requirement,
      reason: 'known',
      owner: 'Maria',
      expires: '2027-01-31',
      state,
      message: 'told',
    })
    const [one, two] = ['code-hosting/a/b', 'code-hosting/a/c']
    expect(texts({ waivers: [waiver(one)] }, { waivers: [waiver(one, 'unneeded')] })).toEqual([])
    expect(texts({}, { waivers: [waiver(one)] })).toEqual([
      'waivers: the runs had other waivers: only after for code-hosting/a/b',
    ])
    expect(
      texts({ waivers: [waiver(one)] }, { waivers: [waiver(one, 'expired'), waiver(two)] }),
    ).toEqual([
      'waivers: the runs had other waivers: only before for code-hosting/a/b; only after for code-hosting/a/c',
    ])
    const many = Array.from({ length: 8 }, (_, index) => waiver(`code-hosting/a/${index}`))
    expect(texts({ waivers: many }, {})[0]).toMatch(/ code-hosting\/a\/4 and 3 more$/)
  })

  it('in what both reports tell of their settings', () => {
    const before = {
      CODE_HOSTING_USERNAME: 'maria',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 25,
      CODE_HOSTING_OTP_SECRET: '$CODE_HOSTING_OTP_SECRET',
      PROBE_READ_ONLY: false,
    }
    const after = {
      CODE_HOSTING_USERNAME: 'oscar',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 50,
      CODE_HOSTING_CONFLICT: `POST /api/v1/user/repos ${'x'.repeat(500)}`,
      PROBE_READ_ONLY: false,
    }
    expect(texts({ settings: before }, { settings: before })).toEqual([])
    expect(texts({ settings: before }, { settings: after })).toEqual([
      'account: CODE_HOSTING_USERNAME is maria before, and oscar after',
      'setting: CODE_HOSTING_MAX_RESPONSE_ITEMS is 25 before, and 50 after',
      'setting: CODE_HOSTING_OTP_SECRET is set before, and not after',
      'setting: CODE_HOSTING_CONFLICT is set after, and not before',
    ])
    const longer = { ...after, CODE_HOSTING_CONFLICT: `POST /api/v1/user/repos ${'y'.repeat(500)}` }
    const [told = ''] = texts({ settings: after }, { settings: longer })
    expect(told).toContain('CODE_HOSTING_CONFLICT is POST /api/v1/user/repos xxx')
    expect(told.length).toBeLessThan(400)
  })

  it('are not said to differ in a value that one report left out, or in another service', () => {
    const kept = { EVENT_PUBLISHING_EVENT_TYPE: 'a', CODE_HOSTING_CONFLICT: 'POST /a' }
    const left = { CODE_HOSTING_CONFLICT: '$CODE_HOSTING_CONFLICT' }
    expect(texts({ settings: kept }, { settings: left })).toEqual([])
  })
})
