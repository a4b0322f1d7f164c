import { describe, expect, it } from 'vitest'
import type { EarlierRun } from './changes.ts'
import { lastRunBefore } from './past-runs.ts'

const here = { codeHosting: { baseUrl: 'https://git.example.com' } }

function run(startedAt: string, target = here): EarlierRun {
  return { run: { startedAt }, target, results: [] }
}

describe('lastRunBefore', () => {
  it('is the latest, whichever tells of it', () => {
    const [early, late] = [run('2026-02-02T03:00:00.000Z'), run('2026-02-03T03:00:00.000Z')]
    expect(lastRunBefore({ target: here }, [early, late])).toBe(late)
    expect(lastRunBefore({ target: here }, [late, early])).toBe(late)
    expect(lastRunBefore({ target: here }, [undefined, early])).toBe(early)
  })

  it('is the second of two that tell of the same run', () => {
    const [report, history] = [run('2026-02-02T03:00:00.000Z'), run('2026-02-02T03:00:00.000Z')]
    expect(lastRunBefore({ target: here }, [report, history])).toBe(history)
  })

  it('is of the same target, however old', () => {
    const other = run('2026-02-03T03:00:00.000Z', { codeHosting: { baseUrl: 'https://b.example' } })
    const same = run('2026-01-01T03:00:00.000Z')
    expect(lastRunBefore({ target: here }, [same, other])).toBe(same)
    expect(lastRunBefore({ target: here }, [undefined, other])).toBeUndefined()
  })
})
