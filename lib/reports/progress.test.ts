import { describe, expect, it } from 'vitest'
import type { Verdict } from '../results/run-report.ts'
import { createProgress } from './progress.ts'

const erase = '\r\u001b[2K'

function writtenBy(
  stream: { isTTY?: boolean; columns?: number },
  total: number,
  results: readonly (readonly [string, Verdict])[],
  options: object = {},
): string[] {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  const progress = createProgress({ ...stream, write }, options)
  progress.start(total)
  for (const [requirement, verdict] of results) progress.add({ requirement, verdict })
  progress.finish()
  return written
}

describe('Progress', () => {
  it('rewrites one line of a terminal and erases it at the end', () => {
    const results = [['a/b/one', 'pass'] as const, ['a/b/two', 'fail'] as const]
    expect(writtenBy({ isTTY: true, columns: 80 }, 12, results)).toEqual([
      `${erase}[  0/12 ] 0 passed, 0 failed`,
      `${erase}[  1/12 ] 1 passed, 0 failed`,
      `${erase}[  2/12 ] 1 passed, 1 failed`,
      erase,
    ])
  })

  it('counts like the report: waived failures as waived, requirements without a check as skipped', () => {
    const deviations = new Map([['a/b/two', 'waived'] as const, ['a/b/one', 'advisory'] as const])
    const results = (['pass', 'fail', 'fail'] as const).map(
      (verdict, index) => [`a/b/${['one', 'two', 'three'][index]}`, verdict] as const,
    )
    expect(writtenBy({}, 3, results, { deviations, skipped: 1 })).toEqual([
      '[ 2/4 ] 1 passed, 0 failed, 1 skipped\n',
      '[ 3/4 ] 1 passed, 0 failed, 1 skipped, 1 waived\n',
      'failed: a/b/three\n',
      '[ 4/4 ] 1 passed, 1 failed, 1 skipped, 1 waived\n',
    ])
  })

  it('stays on one line', () => {
    const columns = 24
    const long = `a/b/${'long-'.repeat(20)}`
    for (const line of writtenBy({ isTTY: true, columns }, 100, [[long, 'pass']])) {
      expect(line.slice(erase.length).length).toBeLessThan(columns)
    }
  })
})
