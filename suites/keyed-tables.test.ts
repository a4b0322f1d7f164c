import { describe, expect, it } from 'vitest'
import {
  carriers,
  idOf,
  type KeyedCase,
  type KeyedTable,
  keyedCases,
  nearlyRight,
  plannedKeyedCases,
  wrongKeys,
} from '../lib/conformance/keyed-table.ts'
import { eventTable } from './event-publishing/keyed-table.ts'
import { incidentTable } from './incident-status/keyed-table.ts'

const levels = Object.keys({ ...wrongKeys, ...nearlyRight, ...carriers })

/** Levels that a table sends to a part of its endpoints, and to how many. */
interface Expected {
  table: KeyedTable
  rare: Readonly<Record<string, number>>
  /** Endpoint whose success precedes a request without a key, by endpoint. */
  after: readonly string[]
  payloads: readonly string[]
  /** Number of pairs of an endpoint, whether the other place is a scheme, and the key in its own place. */
  groups: number
  /** Number of its cases. */
  length: number
}

const tables: Expected[] = [
  {
    table: eventTable,
    rare: {
      'a wrong key of 300 characters': 1,
      'the key after a scheme': 1,
      'the key with the scheme token': 1,
      'the key with the scheme ApiKey': 1,
      'the key with the scheme Bearer:': 0,
      'the key with the scheme Bearerx': 0,
      'the key in the body': 1,
      'the key after Bearer in other header fields': 0,
    },
    after: ['publish after status', 'status after publish', 'replay after publish'],
    payloads: ['a free-form payload', 'an empty payload'],
    groups: 12,
    length: 77,
  },
  {
    table: incidentTable,
    rare: {
      'the key and another word': 0,
      'the key after a scheme': 0,
      'the key with the scheme Bearer': 0,
      'the key with the scheme ApiKey': 0,
    },
    after: [],
    payloads: ['a third update'],
    groups: 3,
    length: 30,
  },
]

describe.each(tables)(
  'the table of $table.variable',
  ({ table, rare, after, payloads, groups, length }) => {
    const endpoints = Object.keys(table.endpoints)
    const cases: KeyedCase[] = keyedCases(table)

    it('has each level at each endpoint, and rare ones at one', () => {
      const counts = levels.map((level) => {
        const having = cases.filter(({ key, carrier }) => key === level || carrier === level)
        return [level, new Set(having.map(({ endpoint }) => endpoint)).size]
      })
      const usual = Object.fromEntries(levels.map((level) => [level, endpoints.length]))
      expect(Object.fromEntries(counts)).toEqual({ ...usual, ...rare })
    })

    it('has the key in other places with each content of its own place', () => {
      const elsewhere = cases.filter(({ kind }) => kind === 'elsewhere')
      const pairs = elsewhere.flatMap(({ endpoint, carrier = '', key }) =>
        carrier in rare ? [] : `${endpoint}, ${carriers[carrier]?.[0] === 'scheme'}, ${key}`,
      )
      expect(new Set(pairs).size).toBe(groups)
      expect(cases).toHaveLength(length)
      const inFields = elsewhere.filter(({ carrier, key, isAfter }) => {
        return carrier === 'the key in other header fields' && key === 'no key' && isAfter
      })
      expect(inFields.map(({ endpoint }) => endpoint)).toEqual(endpoints)
    })

    it('has what precedes a request, its payload and its media type', () => {
      const later = cases.filter((one) => one.after)
      expect(later.map((one) => `${one.endpoint} after ${one.after}`)).toEqual(after)
      const contents = cases.flatMap(({ payload }) => payload ?? [])
      expect(contents.toSorted()).toEqual(endpoints.flatMap(() => payloads).toSorted())
      const encoded = cases.filter(({ encodesPath }) => encodesPath).map(({ kind }) => kind)
      expect(encoded).toEqual(['none', 'wrong', 'none'].slice(0, endpoints.length))
      const typed = cases.filter(({ contentType }) => contentType)
      expect(typed.map(({ endpoint }) => endpoint)).toEqual(endpoints.slice(0, 1))
    })

    it('names each case by its request, and judges it', () => {
      const ids = cases.map((one) => idOf(table.endpoints, one))
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(id).toMatch(/^(?:GET|POST) \/v1\/\S+ with \S/)
      const planned = plannedKeyedCases(table)
      for (const { requirements, expected } of planned) {
        expect([requirements.length > 0, expected !== '']).toEqual([true, true])
      }
    })
  },
)
