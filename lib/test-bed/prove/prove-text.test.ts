import { describe, expect, it } from 'vitest'
import { terminalStyle } from '../../reports/terminal-document.ts'
import { matrixText } from './prove-text.ts'
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
  it('returns the text of the snapshot', async () => {
    const texts = [[], ['a/b/c is pass', 'two\nlines']].map((mismatches) =>
      matrixText(resultsWith(...mismatches), style),
    )
    await expect(texts.join('\n\n')).toMatchFileSnapshot('snapshots/prove.txt')
  })

  it('counts a fault in each requirement that it breaks, and shows its mismatches once', () => {
    const [fault] = resultsWith('a/b/c is pass')
    if (fault === undefined) throw new Error('there is no fault')
    const scenario = { ...fault.scenario, failing: ['a/b/c', 'a/b/d'] }
    const text = matrixText([{ ...fault, scenario }], style)
    expect(text.match(/✗ a\/b\/[cd] +limit-zero-gives-maximum/g)).toHaveLength(2)
    expect(text.match(/is pass/g)).toHaveLength(1)
  })
})
