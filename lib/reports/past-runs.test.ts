import { describe, expect, it } from 'vitest'
import type { EarlierRun } from './changes.ts'
import { lastRunBefore } from './past-runs.ts'

const here = { codeHosting: { baseUrl: 'https://git.example.com' } }

const now = {
  target: here,
  run: { id: 'now', startedAt: '2026-02-04T03:00:00.000Z', finishedAt: '2026-02-04T03:01:00.000Z' },
}

function run(startedAt: string, target = here): EarlierRun {
  return { run: { startedAt }, target, results: [] }
}

describe('lastRunBefore', () => {
  it('is the latest, whichever tells of it', () => {
    const [early, late] = [run('2026-02-02T03:00:00.000Z'), run('2026-02-03T03:00:00.000Z')]
    expect(lastRunBefore(now, [early, late])?.run).toBe(late.run)
    expect(lastRunBefore(now, [late, early])?.run).toBe(late.run)
    expect(lastRunBefore(now, [undefined, early])).toBe(early)
  })

  it('is the second of two that tell of the same run', () => {
    const [report, history] = [run('2026-02-02T03:00:00.000Z'), run('2026-02-02T03:00:00.000Z')]
    expect(lastRunBefore(now, [report, history])?.run).toBe(history.run)
  })

  it('is of the same target, however old', () => {
    const other = run('2026-02-03T03:00:00.000Z', { codeHosting: { baseUrl: 'https://b.example' } })
    const same = run('2026-01-01T03:00:00.000Z')
    expect(lastRunBefore(now, [same, other])).toBe(same)
    expect(lastRunBefore(now, [undefined, other])).toBeUndefined()
  })

  it('is not one that began in the future while another is known', () => {
    const [ahead, late] = [run('2031-01-01T00:00:00.000Z'), run('2026-02-03T03:00:00.000Z')]
    expect(lastRunBefore(now, [ahead, late])?.run).toBe(late.run)
    expect(lastRunBefore(now, [late, ahead])?.run).toBe(late.run)
    expect(lastRunBefore(now, [ahead])).toBe(ahead)
  })

  it('has from an older one what it could not judge, or did not select', () => {
    const older = {
      ...run('2026-02-02T03:00:00.000Z'),
      results: [
        { requirement: 'a', verdict: 'fail' },
        { requirement: 'b', verdict: 'inconclusive', lastJudged: 'waived' },
        { requirement: 'c', verdict: 'pass' },
        { requirement: 'd', verdict: 'fail' },
      ],
    } as const
    const newer = {
      ...run('2026-02-03T03:00:00.000Z'),
      results: [
        { requirement: 'a', verdict: 'inconclusive' },
        { requirement: 'b', verdict: 'skipped', reason: 'something is missing' },
        { requirement: 'c', verdict: 'skipped', unjudged: { kind: 'not selected' } },
        { requirement: 'd', verdict: 'pass' },
        { requirement: 'e', verdict: 'inconclusive' },
      ],
    } as const
    expect(lastRunBefore(now, [newer, older])?.results).toEqual([
      { requirement: 'a', verdict: 'inconclusive', lastJudged: 'fail' },
      { ...newer.results[1], lastJudged: 'waived' },
      { requirement: 'c', verdict: 'pass' },
      { requirement: 'd', verdict: 'pass' },
      { requirement: 'e', verdict: 'inconclusive' },
    ])
  })
})
