import { describe, expect, it } from 'vitest'
import { Progress } from './progress.ts'

function stream(parts: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = []
  return { written, write: (text: string) => written.push(text), ...parts }
}

const erase = '\r\u001b[2K'

describe('Progress on a terminal', () => {
  it('rewrites one line and erases it at the end', () => {
    const terminal = stream({ isTTY: true, columns: 80 })
    const progress = new Progress(terminal, { color: false })
    progress.start(12)
    progress.add({ requirement: 'a/b/one', verdict: 'pass' })
    progress.add({ requirement: 'a/b/two', verdict: 'fail' })
    progress.finish()
    expect(terminal.written).toEqual([
      `${erase}[  0/12 ] 0 passed, 0 failed `,
      `${erase}[  1/12 ] 1 passed, 0 failed a/b/one`,
      `${erase}[  2/12 ] 1 passed, 1 failed a/b/two`,
      erase,
    ])
  })

  it('counts like the report: waived failures as waived, requirements without a check as skipped', () => {
    const log = stream()
    const deviations = new Map([
      ['a/b/two', 'waived'],
      ['a/b/one', 'advisory'],
    ] as const)
    const progress = new Progress(log, { color: false, deviations, skipped: 1 })
    progress.start(3)
    progress.add({ requirement: 'a/b/one', verdict: 'pass' })
    progress.add({ requirement: 'a/b/two', verdict: 'fail' })
    progress.add({ requirement: 'a/b/three', verdict: 'fail' })
    expect(log.written.join('')).toBe(
      '[ 2/4 ] 1 passed, 0 failed, 1 skipped\n[ 3/4 ] 1 passed, 0 failed, 1 skipped, 1 waived\n' +
        'failed: a/b/three\n[ 4/4 ] 1 passed, 1 failed, 1 skipped, 1 waived\n',
    )
  })

  it.each([10, 24, 40])('stays on one line of %i columns', (columns) => {
    const terminal = stream({ isTTY: true, columns })
    const progress = new Progress(terminal, { color: false })
    progress.start(100)
    progress.add({ requirement: `a/b/${'long-'.repeat(20)}`, verdict: 'pass' })
    for (const line of terminal.written) {
      expect(line.slice(erase.length).length).toBeLessThan(columns)
    }
  })
})
