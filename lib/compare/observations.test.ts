import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { compareObservations } from './compare.ts'
import { groupedObservations } from './sections.ts'
import { quietReport } from './stored-report.fixture.ts'

function report(values: Record<string, unknown>, baseUrl = 'https://git.example.com'): RunReport {
  return quietReport({
    target: { codeHosting: { baseUrl } },
    observations: Object.entries(values).map(([id, value]) => ({ id, value, exchanges: [] })),
  })
}

describe('observations', () => {
  it('are told by what changed, came and went', () => {
    const comparison = compareObservations(
      report({ 'a/status': 400, 'b/status': 404, 'c/status': 200 }),
      report({ 'a/status': 422, 'b/status': 404, 'd/status': 201 }),
    )
    expect(comparison).toEqual({
      changed: [
        {
          id: 'a/status',
          before: 400,
          after: 422,
          differences: [{ place: '', before: '400', after: '422' }],
        },
      ],
      appeared: [{ id: 'd/status', value: 201 }],
      disappeared: [{ id: 'c/status', value: 200 }],
      unchanged: 1,
    })
  })

  it('that name the deployment itself mean the same for two deployments', () => {
    const before = report({ origin: 'https://git.example.com' }, 'https://git.example.com/git')
    const after = report({ origin: 'http://127.0.0.1:3000' }, 'http://127.0.0.1:3000/git/')
    expect(compareObservations(before, after).changed).toEqual([])
  })

  it('that have other dates and ids as names, or null where something is to come, are the same', () => {
    const updates = (names: string[], deliveredAt: object, more: object = {}) => {
      const attempt = { type: 'object', properties: { deliveredAt, ...more } }
      const attempts = Object.fromEntries(names.map((name) => [name, attempt]))
      return report({
        a: {
          status: 200,
          body: {
            type: 'object',
            properties: { attempts: { type: 'object', properties: attempts } },
          },
        },
      })
    }
    const [uuid, otherUuid] = ['0', '1'].map(
      (digit) => `${digit}b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10`,
    )
    const [at, none] = [{ type: 'string', format: 'date-time' }, { type: 'null' }]
    const before = updates(['2026-11-20T18:52:51.551Z', uuid ?? ''], none)
    const told = (after: RunReport) =>
      groupedObservations(compareObservations(before, after).changed).flatMap(
        ({ details }) => details,
      )
    expect(told(updates(['2026-11-21T18:52:51.551Z', otherUuid ?? ''], at))).toEqual([])
    expect(told(updates([], at))).toEqual([])
    expect(
      told(updates(['2026-11-21T18:52:51.551Z', '17'], at, { code: { type: 'number' } })),
    ).toEqual([
      'body.attempts."(a UUID)" removed (was object with deliveredAt)',
      'body.attempts."(a date)".code added (number)',
      'body.attempts."(an id)" added (object with code, deliveredAt)',
    ])
  })

  it('that name another place do not', () => {
    const { changed } = compareObservations(
      report({ origin: 'https://git.example.com' }),
      report({ origin: 'https://git.example.com.evil.example' }),
    )
    expect(groupedObservations(changed)).toEqual([
      {
        names: ['origin'],
        details: ['"(the origin of the base URL)" → "https://git.example.com.evil.example"'],
      },
    ])
  })

  it('that changed alike are told together, the most of them first', () => {
    const { changed } = compareObservations(
      report({ a: 200, b: 401, c: 401 }),
      report({ a: 201, b: 403, c: 403 }),
    )
    expect(groupedObservations(changed)).toEqual([
      { names: ['b', 'c'], details: ['401 → 403'] },
      { names: ['a'], details: ['200 → 201'] },
    ])
  })

  it('do without a base URL that is none', () => {
    expect(compareObservations(report({ a: 'x' }, 'none'), report({ a: 'x' })).unchanged).toBe(1)
  })
})
