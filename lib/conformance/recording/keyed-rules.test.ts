import { describe, expect, it } from 'vitest'
import type { Target } from '../../environment/target.ts'
import { type Catalogue, defineRequirements } from '../catalogue.ts'
import type { KeyedTable } from '../keyed-table.ts'
import { type EntryParts, harEntry } from './har-entry.fixture.ts'
import { judgeRecording } from './judge-recording.ts'
import { recordedByKey } from './keyed-rules.ts'
import { toExchange } from './recorded-exchange.ts'

const table: KeyedTable = {
  variable: 'KEY',
  place: ['X-Events-Key', ''],
  otherFields: [],
  endpoints: { read: 'GET /v1/events/{id}' },
  payloads: [],
  only: {},
  after: {},
  withBody: [],
  rules: {
    'events/read/accepted': ['read', ['first'], 'a success'],
    'events/read/body': ['read', ['first'], 'a success with a body'],
    'events/read/no-body': ['read', ['first'], 'no body'],
    'events/read/key-required': ['read', ['none'], 'a rejection'],
    'events/read/key-checked': ['read', ['wrong'], 'a rejection'],
    'events/read/key-in-header': ['read', ['elsewhere'], 'a rejection'],
  },
}

const ids = Object.fromEntries(Object.keys(table.rules).map((id) => [id, id]))
const catalogue: Catalogue = {
  service: 'events',
  document: 'Events',
  requirements: defineRequirements()({ section: 'Events' }, ids),
  needs: {},
}

const traffic = recordedByKey(table, (target) => Object(target).apiKey)

/** Returns the verdicts of a recording by the last part of the requirement, without skipped ones. */
async function verdictsOf(parts: readonly EntryParts[], showsCredentials = true, apiKey?: string) {
  const service = {
    ...{ service: 'events', baseUrl: 'https://events.example.com', documentsStatuses: false },
    ...{ endpoints: traffic.endpoints, redact: (text: string) => text },
    secrets: apiKey === undefined ? [] : [{ name: 'KEY', value: apiKey }],
  }
  const url = 'https://events.example.com/v1/events/7'
  const exchanges = parts.flatMap((one, index) => {
    const entry = harEntry({ url, body: '{}', at: index, ...one })
    return toExchange({ entry, showsCredentials }, `e${index + 1}`, service) ?? []
  })
  const target = { apiKey } as unknown as Target
  const rules = await traffic.rules(exchanges, target)
  const selected = Object.keys(ids)
  const results = await judgeRecording({
    ...{ catalogue, rules, exchanges, target, selected, normalize: (text) => text },
  })
  return Object.fromEntries(
    results.flatMap(({ requirement, verdict }) =>
      verdict === 'skipped' ? [] : [[requirement.slice('events/read/'.length), verdict]],
    ),
  )
}

const accepted: EntryParts = { sent: { 'x-events-key': 'the-key' } }
const elsewhere: EntryParts = { sent: { authorization: 'Bearer the-key' } }
const rejected: EntryParts = { status: 401 }

describe('recordedByKey', () => {
  it('judges rejections beside a request that was accepted', async () => {
    expect(await verdictsOf([accepted, rejected, { ...elsewhere, ...rejected }])).toEqual({
      'no-body': 'fail',
      'key-required': 'pass',
      'key-in-header': 'pass',
    })
    expect(await verdictsOf([{ ...accepted, ...rejected }, rejected])).toEqual({})
  })

  it('reports a request that was accepted without the key in its place', async () => {
    expect(await verdictsOf([accepted, {}])).toMatchObject({ 'key-required': 'fail' })
    expect(await verdictsOf([accepted, elsewhere])).toMatchObject({ 'key-in-header': 'fail' })
  })

  it('does not know whether another key is wrong, or a field was removed', async () => {
    const other = { sent: { 'x-events-key': 'another' } }
    expect(await verdictsOf([accepted, { ...other, ...rejected }])).toEqual({ 'no-body': 'fail' })
    expect(await verdictsOf([accepted, {}], false)).toEqual({ 'no-body': 'fail' })
    expect(await verdictsOf([{}])).toEqual({})
  })

  it('knows the key of the operator, also where another value is in its place', async () => {
    const both = { sent: { 'x-events-key': 'another', authorization: 'the-key' } }
    const wrong = { sent: { 'x-events-key': 'another' } }
    const refused = { ...wrong, ...rejected }
    expect(await verdictsOf([both, refused], true, 'the-key')).toEqual({ 'key-in-header': 'fail' })
    // Then the other key is not checked.
    expect(await verdictsOf([both, wrong], true, 'the-key')).toEqual({})
    expect(await verdictsOf([both, wrong])).toEqual({ 'no-body': 'fail' })
    // The place judges it, as for a key behind a scheme.
    const behind = { sent: { 'x-events-key': 'Bearer the-key' } }
    expect(await verdictsOf([both, behind], true, 'the-key')).toEqual({})
    const inPassword = { sent: { authorization: `Basic ${btoa('the-key:the-key')}` } }
    expect(await verdictsOf([accepted, inPassword])).toMatchObject({ 'key-in-header': 'fail' })
    const named = { sent: { 'x-events-key': '$KEY' } }
    expect(await verdictsOf([named], true, 'the-key')).toEqual({ 'no-body': 'fail' })
  })

  it('judges the body of an accepted request, if it was recorded', async () => {
    const empty = { ...accepted, status: 204, body: '' }
    expect(await verdictsOf([empty])).toEqual({ body: 'fail', 'no-body': 'pass' })
    expect(await verdictsOf([{ ...accepted, body: undefined }])).toEqual({})
  })
})
