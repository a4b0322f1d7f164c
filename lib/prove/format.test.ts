import { describe, expect, it } from 'vitest'
import { terminalStyle } from '../reports/terminal-style.ts'
import { matrixText } from './format.ts'
import type { ScenarioResult } from './run-scenarios.ts'
import { scenarios } from './scenario.ts'

const plain = terminalStyle({ color: false, width: 120 })

function proofs(...disagreements: string[]): ScenarioResult[] {
  const [fault, variant] = ['limit-zero-gives-maximum', 'link-relative'].map((wanted) =>
    scenarios.find(({ name }) => name === wanted),
  )
  if (fault === undefined || variant === undefined) throw new Error('not in the registries')
  return [
    { subject: fault, disagreements, counts: '101 passed, 1 failed' },
    { subject: variant, disagreements: [], counts: '102 passed, 0 failed' },
  ]
}

describe('the matrix', () => {
  it('shows what fails in faults and what comes of variants, and counts in the last line', () => {
    const lines = matrixText(proofs(), plain).split('\n')
    expect(lines[1]).toBe('Faults, each with the requirements that fail (1)')
    expect(lines[2]).toMatch(
      /^ {2}✓ limit-zero-gives-maximum +code-hosting\/pagination\/limit-not-positive$/,
    )
    expect(lines[5]).toMatch(/^ {2}✓ link-relative +conformant: 102 passed, 0 failed$/)
    expect(lines.at(-1)).toBe('2 passed, 0 failed')
  })

  it('tells of one that misbehaves how, and how to repeat it', () => {
    const text = matrixText(proofs('a/b/c stays pass', 'two\nlines'), plain)
    expect(text).toContain('  ✗ limit-zero-gives-maximum')
    expect(text).toContain('\n      - a/b/c stays pass\n      - two\n        lines\n')
    expect(text).toContain(
      'repeat it with: plumbline run --service code-hosting --fault limit-zero-gives-maximum',
    )
    expect(text.split('\n').at(-1)).toBe('1 passed, 1 failed')
  })

  it('shows nothing that would steer a terminal', () => {
    expect(matrixText(proofs('escape \u001b[31m'), plain)).not.toContain('\u001b')
  })
})
