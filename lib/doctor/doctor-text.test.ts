import { expect, it } from 'vitest'
import { terminalStyle } from '../reports/terminal-document.ts'
import { printableJson } from '../text/printable.ts'
import type { DoctorReport, FindingKind, RequirementForecast } from './doctor-report.ts'
import { doctorText } from './doctor-text.ts'

const forecast = (requirement: string, forecast: RequirementForecast['forecast']) => {
  return { requirement, forecast, variables: [] }
}
const judged = forecast('code-hosting/errors/body', 'judged')
const skipped = forecast('code-hosting/tokens/created', 'skipped')
const notCovered = forecast('code-hosting/errors/server-error-message', 'notCovered')
const untestable = forecast('code-hosting/versioning/policy', 'notCovered')

const step = {
  text: 'aaa bbb.',
  variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'],
  requirements: ['code-hosting/tokens/created'],
}

const report: DoctorReport = {
  schema: 4,
  tool: { name: 'plumbline', version: '1.2.3' },
  status: 0,
  target: { codeHosting: { baseUrl: 'https://git.example.com', responds: true } },
  findings: [],
  requirements: [judged, skipped, notCovered, { ...untestable, untestable: true }],
  nextSteps: [step],
  unprobed: [{ service: 'incident-status', variable: 'INCIDENT_STATUS_BASE_URL' }],
}

const shown = (changes: Partial<DoctorReport>) =>
  doctorText({ ...report, ...changes }, terminalStyle({ color: false, width: 100 }))

const found = (kind: FindingKind, text: string) => ({ service: 'code-hosting', kind, text })

const ready = {
  findings: [found('warning', 'aaa bbb. '.repeat(20)), found('unknown', 'aaa bbb.')],
}
const embedded = {
  target: { codeHosting: { baseUrl: 'http://127.0.0.1:1', responds: true, embedded: true } },
  requirements: Array.from({ length: 300 }, () => judged),
}
// With control characters in texts of a server.
const problems = {
  status: 3 as const,
  findings: [
    found('ok', 'aaa bbb.'),
    found('target', 'aaa \u001b[2J\u001b]0;title\u0007 bbb\nProblems (0)'),
  ],
  target: { codeHosting: { baseUrl: 'https://git.example.com/\u202egnp', responds: true } },
}
const nothing = { status: 2 as const, requirements: [skipped], nextSteps: [], unprobed: [] }

it.each([
  ['doctor', [ready, embedded, problems, nothing].map(shown).join('\n\n\n')],
  ['doctor-json', printableJson({ ...report, ...ready })],
])('a report of doctor is formatted as %s', async (name, text) => {
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e|^Problems \(0\)/mu)
  await expect(text).toMatchFileSnapshot(`snapshots/${name}.txt`)
})
