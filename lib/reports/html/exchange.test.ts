import { describe, expect, it } from 'vitest'
import type { Reason } from '../../results/reason.ts'
import { hostileText } from '../report.fixture.ts'
import { anchor } from './markup.ts'
import { advice } from './rows.ts'

describe('an anchor', () => {
  it('is the same in an address and in the page, whatever the id is', () => {
    for (const id of [hostileText, 'a b', '"<>#?%', 'ä', '\u{1f600}', '\ud800']) {
      const url = new URL(`https://ci.example.com/report.html#${anchor(id)}`)
      expect(url.hash.slice(1)).toBe(anchor(id))
      expect(anchor(id)).toMatch(/^[\w/-]+$/)
    }
  })

  it('differs where ids differ', () => {
    const ids = ['a b', 'a_20_b', 'a/b', 'a-b', 'A b', 'a_b', 'a', 'a\u0020\u0020b']
    expect(new Set(ids.map(anchor)).size).toBe(ids.length)
  })
})

it.each<[string, Reason | undefined, string]>([
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
])('a skipped row tells %s', (_name, unjudged, reported) => {
  expect(String(advice(unjudged === undefined ? {} : { unjudged }))).toContain(reported)
})
