import { describe, expect, it } from 'vitest'
import { terminalStyle } from '../reports/terminal-style.ts'
import { matrixText } from './format.ts'
import type { ScenarioResult } from './run-scenarios.ts'
import { scenarios } from './scenario.ts'

const style = terminalStyle({ color: false, width: 120 })

function resultsWith(...mismatches: string[]): ScenarioResult[] {
  const [fault, variant] = ['limit-zero-gives-maximum', 'link-relative'].map((expected) =>
    scenarios.find(({ name }) => name === expected),
  )
  if (fault === undefined || variant === undefined) throw new Error('not in the registries')
  return [
    { scenario: fault, mismatches, counts: '101 passed, 1 failed' },
    { scenario: variant, mismatches: [], counts: '102 passed, 0 failed' },
  ]
}

describe('matrixText', () => {
  it('formats failing requirements of faults and verdicts of variants, and counts in the last line', () => {
    const lines = matrixText(resultsWith(), style).split('\n')
    expect(lines[1]).toBe('Faults, each with the requirements that fail (1)')
    expect(lines[2]).toMatch(
      /^ {2}✓ limit-zero-gives-maximum +code-hosting\/pagination\/limit-not-positive$/,
    )
    expect(lines[5]).toMatch(/^ {2}✓ link-relative +conformant: 102 passed, 0 failed$/)
    expect(lines.at(-1)).toBe('2 passed, 0 failed')
  })

  it('reports mismatches with the command that runs the scenario again', () => {
    const text = matrixText(resultsWith('a/b/c is pass', 'two\nlines'), style)
    expect(text).toContain('  ✗ limit-zero-gives-maximum')
    expect(text).toContain('\n      - a/b/c is pass\n      - two\n        lines\n')
    expect(text).toContain(
      'run again with: plumbline run --service code-hosting --fault limit-zero-gives-maximum',
    )
    expect(text.split('\n').at(-1)).toBe('1 passed, 1 failed')
  })

  it('removes control characters', () => {
    expect(matrixText(resultsWith('escape \u001b[31m'), style)).not.toContain('\u001b')
  })
})
