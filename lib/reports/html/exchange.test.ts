import { describe, expect, it } from 'vitest'
import type { Reason } from '../../results/reason.ts'
import { hostileText } from '../report.fixture.ts'
import { anchor } from './markup.ts'
import { advice } from './rows.ts'

describe('anchor', () => {
  it('is equal in a URL and in the page for any id', () => {
    for (const id of [hostileText, 'a b', '"<>#?%', 'ä', '\u{1f600}', '\ud800']) {
      const url = new URL(`https://ci.example.com/report.html#${anchor(id)}`)
      expect(url.hash.slice(1)).toBe(anchor(id))
      expect(anchor(id)).toMatch(/^[\w/-]+$/)
    }
  })

  it('differs for different ids', () => {
    const ids = ['a b', 'a_20_b', 'a/b', 'a-b', 'A b', 'a_b', 'a', 'a\u0020\u0020b']
    expect(new Set(ids.map(anchor)).size).toBe(ids.length)
  })
})

it.each<[string, Reason | undefined, string]>([
  [
    'unmet needs',
    {
      kind: 'needs',
      needs: [
        { name: 'one', variables: ['A_B'], advice: 'Set it.' },
        { name: 'two', variables: ['A_B', 'C_D'], advice: 'Set it.' },
        { name: 'three', variables: [] },
      ],
    },
    'Set it. Needs a server with other settings or data. (<code>A_B</code>, <code>C_D</code>)',
  ],
  ['a missing selection', { kind: 'not selected' }, 'Run without --requirement, or with'],
  ['an untestable requirement', { kind: 'untestable', why: 'so' }, 'Cannot be tested'],
])('advice covers %s', (_name, noVerdict, reported) => {
  expect(String(advice(noVerdict === undefined ? {} : { noVerdict }))).toContain(reported)
})
