import { describe, expect, it } from 'vitest'
import type {
  BaselineReview,
  LeftBehind,
  Observation,
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
} from '../conformance/result.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import schema from './report.schema.json' with { type: 'json' }
import { reportJson } from './report-json.ts'

// These fail to compile when a type gains a property, and the test when the schema lacks it.
const reportKeys: Record<keyof RunReport, true> = {
  schema: true,
  tool: true,
  run: true,
  target: true,
  settings: true,
  verdict: true,
  results: true,
  observations: true,
  exchanges: true,
  leftBehind: true,
  waivers: true,
  baseline: true,
}
const runKeys: Record<keyof RunReport['run'], true> = {
  id: true,
  startedAt: true,
  finishedAt: true,
  interrupted: true,
}
const targetKeys: Record<keyof RunReport['target'][string], true> = {
  baseUrl: true,
  embedded: true,
}
const resultKeys: Record<keyof RequirementResult, true> = {
  requirement: true,
  verdict: true,
  level: true,
  statement: true,
  section: true,
  reason: true,
  expected: true,
  actual: true,
  reads: true,
  exchanges: true,
  durationMs: true,
  waiver: true,
  unjudged: true,
}
const waiverKeys: Record<keyof ReviewedWaiver, true> = {
  requirement: true,
  reason: true,
  owner: true,
  expires: true,
  link: true,
  state: true,
  message: true,
}
const baselineKeys: Record<keyof BaselineReview, true> = { pinned: true, observations: true }
const pinKeys: Record<keyof ReviewedPin, true> = {
  id: true,
  state: true,
  before: true,
  after: true,
  exchanges: true,
}
const observationKeys: Record<keyof Observation, true> = { id: true, value: true, exchanges: true }
const leftBehindKeys: Record<keyof LeftBehind, true> = {
  kind: true,
  name: true,
  account: true,
  deletedBy: true,
  mayExist: true,
}
const exchangeKeys: Record<keyof ExchangeRecord, true> = {
  id: true,
  service: true,
  purpose: true,
  endpoint: true,
  startedAt: true,
  durationMs: true,
  attempt: true,
  request: true,
  response: true,
  error: true,
}

describe('report.schema.json', () => {
  it.each([
    ['report', reportKeys, schema.properties],
    ['run', runKeys, schema.$defs.run.properties],
    ['target', targetKeys, schema.$defs.targetService.properties],
    ['result', resultKeys, schema.$defs.result.properties],
    ['waiver', waiverKeys, schema.$defs.reviewedWaiver.properties],
    ['baseline', baselineKeys, schema.$defs.baseline.properties],
    ['pin', pinKeys, schema.$defs.reviewedPin.properties],
    ['observation', observationKeys, schema.$defs.observation.properties],
    ['exchange', exchangeKeys, schema.$defs.exchange.properties],
    ['thing left behind', leftBehindKeys, schema.$defs.leftBehind.properties],
  ])('has every property of a %s', (_name, keys, properties) => {
    expect(Object.keys(properties)).toEqual(Object.keys(keys))
  })
})

describe('reportJson', () => {
  it('is the report, indented by two spaces', () => {
    const text = reportJson(reportFixture())
    expect(JSON.parse(text)).toEqual(reportFixture())
    expect(text).toMatch(/^{\n {2}"schema": 1,\n/)
    expect(text.endsWith('}\n')).toBe(true)
  })

  it('names each misfit by its place', () => {
    const report = reportFixture()
    Object.assign(report.results[0] ?? {}, { verdict: 'maybe' })
    Object.assign(report.run, { startedAt: 'yesterday', mood: 'good' })
    expect(() => reportJson(report)).toThrow(/defect of Plumbline/)
    expect(() => reportJson(report)).toThrow(/\/results\/0\/verdict must be equal to one of/)
    expect(() => reportJson(report)).toThrow(/\/run\/startedAt must match format/)
    expect(() => reportJson(report)).toThrow(/\/run must NOT have additional properties: mood/)
  })

  it('does not flood the reader', () => {
    const results = Array.from({ length: 50 }, () => resultFixture({ requirement: 'Not an id' }))
    expect(() => reportJson(reportFixture({ results }))).toThrow(/and 40 more$/)
  })
})
