import { describe, expect, it } from 'vitest'
import { historyFixture } from './history.fixture.ts'
import type { HistoryLine } from './line.ts'
import { beganInFuture, inOrderOfRuns, misdatedLines } from './order.ts'

const [template] = historyFixture({ 'code-hosting/a/one': 'p' })

function run(name: string, startedAt: string, finishedAt = startedAt): HistoryLine {
  if (template === undefined) throw new Error('there is no line')
  return { ...template, run: name, startedAt, finishedAt }
}

function orderOf(...lines: HistoryLine[]): string {
  return inOrderOfRuns(lines)
    .map((line) => line.run)
    .join('')
}

describe('the order of runs', () => {
  it('is that of their beginnings where they took place at once', () => {
    const long = run('a', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z')
    const next = run('b', '2026-01-01T00:10:00Z', '2026-01-01T00:20:00Z')
    const last = run('c', '2026-01-01T00:30:00Z', '2026-01-01T00:40:00Z')
    expect(orderOf(next, last, long)).toBe('abc')
    expect(orderOf(last, next, long)).toBe('acb')
  })

  it('is that of the file for a clock that was ahead, behind, or put right on the way', () => {
    const first = run('a', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z')
    const last = run('c', '2026-01-03T00:00:00Z', '2026-01-03T00:01:00Z')
    for (const wrong of [
      run('b', '2031-01-01T00:00:00Z'),
      run('b', '2026-01-09T00:00:00Z', '2026-01-09T00:01:00Z'),
      run('b', '1970-01-01T00:00:00Z'),
      run('b', '1970-01-01T00:00:00Z', '2026-01-02T00:01:00Z'),
      run('b', '2031-01-01T00:00:00Z', '2026-01-02T00:01:00Z'),
    ]) {
      expect(orderOf(first, wrong, last)).toBe('abc')
    }
  })
})

describe('a time that cannot be right', () => {
  const now = Date.parse('2026-01-09T00:00:00Z')

  it('is in the future by more than clocks differ', () => {
    expect(beganInFuture(run('a', '2026-01-09T00:04:59Z'), now)).toBe(false)
    expect(beganInFuture(run('a', '2026-01-09T00:05:01Z'), now)).toBe(true)
  })

  it('is told by the number of its line', () => {
    const times = ['2026-01-02', '2031-01-01', '2026-01-03', '2026-01-01', '2026-01-04']
    const lines = times.map((day, index) => ({
      line: run(day, `${day}T00:00:00Z`),
      number: index + 1,
    }))
    expect(misdatedLines(lines, now)).toEqual({ future: [2], behind: [4] })
  })
})
