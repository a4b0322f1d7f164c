import { describe, expect, it } from 'vitest'
import { doctorJson } from './doctor-json.ts'
import type { DoctorReport } from './doctor-report.ts'

const report: DoctorReport = {
  schema: 1,
  tool: { name: 'plumbline', version: '1.2.3' },
  status: 3,
  target: { codeHosting: { baseUrl: 'https://git.example.com', answers: false } },
  requests: 3,
  findings: [{ service: 'code-hosting', kind: 'target', text: 'It cannot be reached.' }],
  clocks: {},
  requirements: [],
  nextSteps: [],
  unprobed: [],
}

describe('what the doctor says as JSON', () => {
  it('is the report, on lines of its own', () => {
    const text = doctorJson(report)

    expect(JSON.parse(text)).toEqual(report)
    expect(text.startsWith('{\n  "schema": 1,\n')).toBe(true)
    expect(text.endsWith('\n}\n')).toBe(true)
  })

  it('has nothing that a terminal would obey or hide, and means the same', () => {
    const text = 'It said \u001b[2J\u009b31m and \u202egnp.'
    const hostile = { ...report, findings: [{ ...report.findings[0], text }] } as DoctorReport
    const json = doctorJson(hostile)

    expect(json).not.toMatch(/[\u007f-\u009f\p{Cf}]/u)
    expect(JSON.parse(json)).toEqual(hostile)
  })

  it('is not printed where it does not fit its schema', () => {
    const misfit = { ...report, status: 1, extra: true } as unknown as DoctorReport

    expect(() => doctorJson(misfit)).toThrow(
      /a defect of Plumbline:\n {2}it must NOT have additional properties: extra\n {2}\/status must be/,
    )
  })
})
