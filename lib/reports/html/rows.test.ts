import { expect, it } from 'vitest'
import type { Unjudged } from '../../conformance/result.ts'
import { advice } from './rows.ts'

it.each<[string, Unjudged | undefined, string]>([
  [
    'what it needs',
    {
      kind: 'needs',
      needs: [
        { name: 'one', variables: ['A_B'], advice: 'Set it.' },
        { name: 'two', variables: ['A_B', 'C_D'], advice: 'Set it.' },
        { name: 'three', variables: [] },
      ],
    },
    'Set it. Judged on a server that is set or filled otherwise. (<code>A_B</code>, <code>C_D</code>)',
  ],
  ['that it was not selected', { kind: 'not selected' }, 'Run without --requirement, or with'],
  ['that nothing can be done', { kind: 'untestable', why: 'so' }, 'No setting changes that'],
])('a skipped row tells %s', (_name, unjudged, told) => {
  expect(String(advice(unjudged === undefined ? {} : { unjudged }))).toContain(told)
})

it('a row of which nothing else is known tells its reason alone', () => {
  expect(String(advice({}))).toBe('')
})
