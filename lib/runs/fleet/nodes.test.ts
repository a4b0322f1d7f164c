import { expect, it } from 'vitest'
import type { RequirementResult } from '../../results/run-report.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { nodeDifferences } from './nodes.ts'

/** Returns a node with results of `a/b/x`, `a/b/y` and so on. */
function node(name: string, ...results: RequirementResult[]) {
  const judged = results.filter(({ verdict }) => verdict !== 'inconclusive').length
  const coverage = { judged, testable: results.length, belowThreshold: false }
  return { node: name, report: quietReport({ results, coverage }) }
}

const x = (verdict: RequirementResult['verdict'], parts: Partial<RequirementResult> = {}) =>
  resultOf('a/b/x', verdict, parts)
const y = (verdict: RequirementResult['verdict'], parts: Partial<RequirementResult> = {}) =>
  resultOf('a/b/y', verdict, parts)
const deviating = (...actual: string[]) => ({
  deviations: actual.map((text) => ({ expected: 'e', actual: text })),
})

it.each<[name: string, nodes: ReturnType<typeof node>[], expected: object[]]>([
  ['equal nodes', [node('1', x('fail')), node('2', x('fail'))], []],
  ['one node', [node('1', x('fail'))], []],
  [
    'a failing node',
    [node('1', x('pass')), node('2', x('fail', deviating('no X'))), node('3', x('pass'))],
    [{ requirement: 'a/b/x', verdict: 'fail', text: 'no X', nodes: ['2'] }],
  ],
  [
    'other deviations',
    [node('1', x('fail', deviating('no X'))), node('2', x('fail', deviating('Y')))],
    [
      { requirement: 'a/b/x', verdict: 'fail', text: 'no X', nodes: ['1'] },
      { requirement: 'a/b/x', verdict: 'fail', text: 'Y', nodes: ['2'] },
    ],
  ],
  [
    'the same deviations in another order, with other ids and times',
    [
      node('1', x('fail', deviating('b', 'a 2026-01-01T00:00:00Z'))),
      node('2', x('fail', deviating('a 2026-01-02T00:00:00Z', 'b'))),
    ],
    [],
  ],
  [
    'missing verdicts after deviations, and the most frequent first',
    [
      node('1', x('skipped', { reason: 'no code' }), y('fail', deviating('Y'))),
      node('2', x('pass'), y('pass')),
      node('3', x('fail', deviating('X')), y('fail', deviating('Y'))),
    ],
    [
      { requirement: 'a/b/y', verdict: 'fail', text: 'Y', nodes: ['1', '3'] },
      { requirement: 'a/b/x', verdict: 'fail', text: 'X', nodes: ['3'] },
      { requirement: 'a/b/x', verdict: 'skipped', text: 'no code', nodes: ['1'] },
    ],
  ],
  ['one without any verdict', [node('1', x('pass')), node('2', x('inconclusive'))], []],
])('nodeDifferences of %s', (_name, nodes, expected) => {
  expect(nodeDifferences(nodes)).toEqual(expected)
})
