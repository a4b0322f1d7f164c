import { expect, it } from 'vitest'
import { doctorStatus } from './doctor-report.ts'

it.each([
  [0, ['ok', 'warning', 'unknown'], 'judged'],
  [2, ['ok', 'configuration'], 'judged'],
  [3, ['target', 'configuration'], 'judged'],
  [2, [], 'skipped'],
] as const)('doctorStatus returns %d for %j', (status, kinds, forecast) => {
  const findings = kinds.map((kind) => ({ kind }))
  expect(doctorStatus(findings, [{ requirement: 'one', forecast, variables: [] }])).toBe(status)
})
