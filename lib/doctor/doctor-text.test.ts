import { describe, expect, it } from 'vitest'
import { terminalStyle } from '../reports/terminal-style.ts'
import {
  type DoctorReport,
  doctorStatus,
  type FindingKind,
  type RequirementForecast,
} from './doctor-report.ts'
import { doctorText } from './doctor-text.ts'

function forecast(requirement: string, forecast: RequirementForecast['forecast']) {
  return { requirement, forecast, variables: [] }
}

const judged = forecast('code-hosting/errors/body', 'judged')
const incident = forecast('incident-status/updates/accepted', 'judged')
const skipped = forecast('code-hosting/tokens/created', 'skipped')
const leftOut = forecast('code-hosting/errors/server-error-retry', 'notCovered')

const report: DoctorReport = {
  schema: 2,
  tool: { name: 'plumbline', version: '1.2.3' },
  status: 0,
  target: { codeHosting: { baseUrl: 'https://git.example.com', responds: true } },
  requests: 3,
  findings: [],
  clocks: {},
  requirements: [judged, skipped, leftOut],
  nextSteps: [
    {
      texts: ['Set the main account.'],
      variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'],
      adds: ['code-hosting/tokens/created'],
    },
  ],
  unprobed: [
    {
      service: 'incident-status',
      variable: 'INCIDENT_STATUS_BASE_URL',
      judged: 5,
      requirements: 6,
    },
  ],
}

function shown(changes: Partial<DoctorReport> = {}): string {
  return doctorText({ ...report, ...changes }, terminalStyle({ color: false, width: 100 }))
}

function found(kind: FindingKind, text: string) {
  return { service: 'code-hosting' as const, kind, text }
}

/** Returns the titles of the sections, and the conclusion. */
function titlesIn(text: string): string[] {
  const [, , ...sections] = text.split('\n\n')
  return sections.flatMap((section) => section.split('\n').filter((line) => !line.startsWith(' ')))
}

describe('doctorText', () => {
  it('orders the sections by urgency', () => {
    const text = shown({
      findings: [
        found('warning', 'A long sentence about it. '.repeat(20)),
        found('unknown', 'Whether it is there.'),
      ],
    })

    expect(titlesIn(text)).toEqual([
      'Unknown (needs more than GET) (1)',
      'Requirements that a run would judge',
      'Next steps, by number of requirements',
      'Warnings (1)',
      'ready: a run would judge 1 of 3 requirements (33 %) (exit status 0)',
    ])
    expect(text).toContain('1. Set the main account. (1 requirement more)')
    expect(text).toMatch(/Set INCIDENT_STATUS_BASE_URL.*\s+.*judges up to 5 of its 6 requirements/)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('ends with the problems, without next steps', () => {
    const text = shown({
      status: 3,
      findings: [
        found('ok', 'The service responds.'),
        found('target', 'maria was refused with 401.'),
      ],
    })

    expect(titlesIn(text)).toEqual([
      'OK (1)',
      'Requirements that a run would judge after the problems below are fixed',
      'Problems (1)',
      'not ready: 1 problem to mend (exit status 3)',
    ])
  })

  it('escapes control characters in texts of a server', () => {
    const text = shown({
      findings: [found('target', 'It said \u001b[2J\u001b]0;title\u0007 and\nProblems (0)')],
      target: { codeHosting: { baseUrl: 'https://git.example.com/\u202egnp', responds: true } },
    })

    // biome-ignore lint/suspicious/noControlCharactersInRegex: the text must not contain them.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(text).not.toMatch(/^Problems \(0\)/m)
  })

  it('has a table of services, sections and all requirements, with rounded-down percentages', () => {
    const many = Array.from({ length: 300 }, () => judged)
    const rows = shown({ requirements: [...many, skipped, incident] }).split('\n')
    const table = rows.slice(
      rows.findIndex((line) => /judged +skipped +not covered/.test(line)) + 1,
    )

    expect(table.slice(0, 6).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['code-hosting', '300', '1', '0', '301', '99 %'],
      ['errors', '300', '0', '0', '300', '100 %'],
      ['tokens', '0', '1', '0', '1', '0 %'],
      ['incident-status', '1', '0', '0', '1', '100 %'],
      ['updates', '1', '0', '0', '1', '100 %'],
      ['all', '301', '1', '0', '302', '99 %'],
    ])
  })
})

describe('doctorStatus', () => {
  it.each([
    [0, ['ok', 'warning', 'unknown'], [judged]],
    [2, ['ok', 'configuration'], [judged]],
    [3, ['target', 'configuration'], [judged]],
    [2, [], [skipped, leftOut]],
  ] as const)('returns %d for %j', (status, kinds, requirements) => {
    const findings = kinds.map((kind) => ({ kind }))

    expect(doctorStatus(findings, requirements)).toBe(status)
  })
})
