import { describe, expect, it } from 'vitest'
import { terminalStyle } from '../reports/terminal-style.ts'
import { type DoctorReport, doctorStatus, type RequirementOutlook } from './doctor-report.ts'
import { doctorText } from './doctor-text.ts'
import type { FindingKind } from './finding.ts'
import { outlookCounts, percentJudged } from './outlook-table.ts'

const judged: RequirementOutlook = {
  requirement: 'code-hosting/errors/body',
  outlook: 'judged',
  variables: [],
}
const skipped: RequirementOutlook = {
  requirement: 'code-hosting/tokens/created',
  outlook: 'skipped',
  reason: 'CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD are not set',
  variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'],
}
const leftOut: RequirementOutlook = {
  requirement: 'code-hosting/errors/server-error-retry',
  outlook: 'left out',
  reason: 'cannot be tested: nothing shows it',
  variables: [],
}
const open: RequirementOutlook = {
  requirement: 'code-hosting/errors/server-error-message',
  outlook: 'left out',
  reason: 'there was no response with status 500',
  variables: [],
  dependsOn: 'a run judges it once such a response comes',
}

const report: DoctorReport = {
  schema: 1,
  tool: { name: 'plumbline', version: '1.2.3' },
  status: 0,
  target: { codeHosting: { baseUrl: 'https://git.example.com' } },
  requests: 3,
  findings: [],
  clocks: {},
  requirements: [judged, skipped, leftOut, open],
  nextSteps: [
    {
      texts: ['Set the main account.'],
      variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'],
      adds: ['code-hosting/tokens/created'],
      completes: [],
    },
  ],
  unprobed: [{ service: 'incident-status', variable: 'INCIDENT_STATUS_BASE_URL', requirements: 5 }],
}

function shown(changes: Partial<DoctorReport> = {}, width = 100): string {
  return doctorText({ ...report, ...changes }, terminalStyle({ color: false, width }))
}

function found(kind: FindingKind, text: string) {
  return { service: 'code-hosting' as const, kind, text }
}

describe('what the doctor shows', () => {
  it('has problems before what would be judged, and next steps after it', () => {
    const text = shown({
      status: 2,
      findings: [found('configuration', 'The account is no admin.')],
    })
    const places = [
      'Problems (1)',
      'What a run would judge',
      'Left out (1)',
      'Next steps',
      'not ready',
    ]

    const positions = places.map((place) => text.indexOf(place))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(positions[0]).toBeGreaterThan(0)
    expect(text).toContain('What a run would judge, once the problems above are mended')
    expect(text).toMatch(/1 problem to mend; then a run would judge 1 of 4 .*\(exit status 2\)$/)
  })

  it('counts by section, and tells what each step brings', () => {
    const text = shown()

    expect(text).toMatch(/ {4}errors +1 +0 +2 +3 +33 %/)
    expect(text).toContain('1. Set the main account. (1 requirement more)')
    expect(text).toContain('Set INCIDENT_STATUS_BASE_URL')
    expect(text).toContain('not judged if: there was no response with status 500')
    expect(text).toMatch(/ready: a run would judge 1 of 4 requirements \(25 %\) \(exit status 0\)$/)
  })

  it('fits into 100 columns', () => {
    const text = shown({ findings: [found('warning', 'A long sentence about it. '.repeat(20))] })

    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('shows what a server says without obeying it', () => {
    const text = shown({
      findings: [found('target', 'It said \u001b[2J\u001b]0;title\u0007 and\nProblems (0)')],
      target: { codeHosting: { baseUrl: 'https://git.example.com/\u202egnp' } },
    })

    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(text).not.toMatch(/^Problems \(0\)/m)
  })

  it('says that nothing of the operator was looked at where nothing is configured', () => {
    const text = shown({
      requests: 0,
      target: { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
    })

    expect(text).toContain('No deployment is configured')
    expect(text).not.toContain('GET requests')
  })
})

describe('the exit status of the doctor', () => {
  it.each([
    [0, ['good', 'warning', 'untold'], [judged]],
    [2, ['good', 'configuration'], [judged]],
    [3, ['target', 'configuration'], [judged]],
    [2, [], [skipped, leftOut]],
  ] as const)('is %d for %j', (status, kinds, requirements) => {
    const findings = kinds.map((kind) => ({ kind }))

    expect(doctorStatus(findings, requirements)).toBe(status)
  })
})

describe('the table', () => {
  it('has services, their sections, and everything', () => {
    const incident = { ...judged, requirement: 'incident-status/updates/accepted' }
    const counts = outlookCounts([...report.requirements, incident])

    expect(counts.map(({ name }) => name)).toEqual([
      'code-hosting',
      'code-hosting/errors',
      'code-hosting/tokens',
      'incident-status',
      'incident-status/updates',
      'all',
    ])
    expect(counts.at(-1)).toEqual({ name: 'all', judged: 2, skipped: 1, leftOut: 2, total: 5 })
  })

  it('calls nothing 100 % that is not all', () => {
    expect(percentJudged({ judged: 999, total: 1000 })).toBe(99)
    expect(percentJudged({ judged: 0, total: 0 })).toBe(0)
  })
})
