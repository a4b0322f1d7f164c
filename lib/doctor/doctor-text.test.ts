import { describe, expect, it } from 'vitest'
import { printableJson } from '../reports/printable.ts'
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
      texts: ['aaa bbb.'],
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

function shown(changes: Partial<DoctorReport>): string {
  return doctorText({ ...report, ...changes }, terminalStyle({ color: false, width: 100 }))
}

function found(kind: FindingKind, text: string) {
  return { service: 'code-hosting' as const, kind, text }
}

const READY = {
  findings: [found('warning', 'aaa bbb. '.repeat(20)), found('unknown', 'aaa bbb.')],
}
const EMBEDDED = {
  target: { codeHosting: { baseUrl: 'http://127.0.0.1:1', responds: true, embedded: true } },
  // Percentages are rounded down.
  requirements: [...Array.from({ length: 300 }, () => judged), skipped, incident],
}
const PROBLEMS = {
  status: 3 as const,
  findings: [found('ok', 'aaa bbb.'), found('target', 'ccc ddd.')],
}
const NOTHING = { status: 2 as const, requirements: [skipped], nextSteps: [], unprobed: [] }

describe('a report of doctor', () => {
  it.each([
    ['doctor', [READY, EMBEDDED, PROBLEMS, NOTHING].map(shown).join('\n\n\n')],
    ['doctor-json', printableJson({ ...report, ...READY })],
  ])('is formatted as %s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(`snapshots/${name}.txt`)
  })

  it('escapes control characters in texts of a server', () => {
    const text = shown({
      findings: [found('target', 'aaa \u001b[2J\u001b]0;title\u0007 bbb\nProblems (0)')],
      target: { codeHosting: { baseUrl: 'https://git.example.com/\u202egnp', responds: true } },
    })

    // biome-ignore lint/suspicious/noControlCharactersInRegex: the text must not contain them.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(text).not.toMatch(/^Problems \(0\)/m)
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
