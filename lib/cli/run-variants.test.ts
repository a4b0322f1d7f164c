import { describe, expect, it } from 'vitest'
import { variants } from '../reference/index.ts'
import { embeddedRun } from './embedded-run.fixture.ts'

/** Variants of one service are judged in that service alone, where it has enough to be judged. */
function serviceOf(variant: string): string[] | undefined {
  if (variant.includes('untold')) return undefined
  if (/^event-(?!and)/.test(variant)) return ['event-publishing']
  return variant.startsWith('incident-') ? ['incident-status'] : undefined
}

describe('a deployment that chooses differently where it may', () => {
  it.each(variants)('as $name is not found wrong', async ({ name, verdict }) => {
    const run = await embeddedRun({ variant: name, service: serviceOf(name) })

    expect(run.idsWith('fail')).toEqual([])
    expect(run.defects).toEqual([])
    expect(run.report.verdict).toBe(verdict ?? 'conformant')
    if (verdict === undefined) expect(run.idsWith('pass').length).toBeGreaterThan(0)
  })
})
