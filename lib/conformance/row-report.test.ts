import { describe, expect, it, vi } from 'vitest'
import { Redactor } from '../probe/redaction.ts'
import type { Judgement } from './judgement.ts'
import { report } from './row-report.ts'

const redactor = new Redactor()
vi.mock('./run.ts', () => ({ currentRun: () => ({ redactor, takeUnreported: () => [] }) }))

function reported(reason: string): string | undefined {
  const judgement: Judgement = {
    requirement: 'a/b/c',
    by: 'probe',
    verdict: 'pass',
    reason,
    exchanges: [],
    durationMs: 1,
  }
  const task = { meta: {} } as Parameters<typeof report>[0]['task']
  report({ task, skip: () => undefined as never }, judgement, { statement: 'It holds.' })
  return task.meta.plumbline?.judgement?.reason
}

describe('the text of a row', () => {
  it('is whole up to a length, and says how long it was beyond', () => {
    expect(reported('a'.repeat(2000))).toBe('a'.repeat(2000))
    expect(reported('a'.repeat(2001))).toBe(`${'a'.repeat(2000)}… (2001 characters)`)
  })

  it('is cut when secrets are out, and through no character', () => {
    redactor.add('A_KEY', 'secret-0123456789')
    expect(reported(`${'a'.repeat(1990)}secret-0123456789${'b'.repeat(100)}`)).toBe(
      `${'a'.repeat(1990)}$A_KEYbbbb… (2096 characters)`,
    )
    expect(reported(`${'a'.repeat(1999)}😀${'b'.repeat(9)}`)).toBe(
      `${'a'.repeat(1999)}… (2010 characters)`,
    )
  })
})
