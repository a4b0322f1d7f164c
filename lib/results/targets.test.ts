import { expect, it } from 'vitest'
import type { RunReport } from './run-report.ts'
import { isSameTarget } from './targets.ts'

type Target = RunReport['target']

const address = { baseUrl: 'https://a.example' }
const here: Target = { codeHosting: address }
const embeddedAt = (port: number): Target => {
  return { codeHosting: { baseUrl: `http://127.0.0.1:${port}`, embedded: true } }
}

it.each<[boolean, string, Target, Target]>([
  [true, 'one service less', { ...here, incidentStatus: address }, here],
  [false, 'one node of it', here, { codeHosting: { ...address, connectedTo: '10.0.0.7:443' } }],
  [false, 'another service', { incidentStatus: address }, here],
  [true, 'the reference server on another port', embeddedAt(1), embeddedAt(2)],
])('isSameTarget returns %s for %s', (same, _name, one, other) => {
  expect(isSameTarget(one, other)).toBe(same)
})
