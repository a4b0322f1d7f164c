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
})
