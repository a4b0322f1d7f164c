import { describe, expect, it } from 'vitest'
import { type FittingSection, fittingLines } from './fitting-sections.ts'

function section(name: string, count: number): FittingSection {
  return {
    before: [`${name}:`],
    rows: Array.from({ length: count }, (_, index) => `${name}${index}`),
    after: ['.'],
    more: (left) => [`${left} more`],
  }
}

function lengthOf(lines: string[]): number {
  return lines.join('\n').length + 1
}

describe('fittingLines', () => {
  it('keeps everything where there is room', () => {
    expect(fittingLines([section('a', 2), section('b', 1)], 100)).toEqual([
      ...['a:', 'a0', 'a1', '.'],
      ...['b:', 'b0', '.'],
    ])
  })

  it('shortens what stands last, and says by how much', () => {
    expect(fittingLines([section('a', 2), section('b', 5)], 38)).toEqual([
      ...['a:', 'a0', 'a1', '.'],
      ...['b:', 'b0', 'b1', '3 more', '.'],
    ])
  })

  it('keeps the frame of every section', () => {
    const lines = fittingLines([section('a', 500), section('b', 500)], 60)
    expect(lines.slice(-3)).toEqual(['b:', '500 more', '.'])
  })

  it.each([30, 31, 32, 33, 50, 77, 100, 1000])('is never longer than %i', (limit) => {
    const lines = fittingLines([section('a', 9), section('b', 99)], limit)
    expect(lengthOf(lines)).toBeLessThanOrEqual(limit)
    expect(lines).toContain('a:')
  })
})
