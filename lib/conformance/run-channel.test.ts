import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CLEAN_UP } from './evidence-scope.ts'
import { endingOf } from './run-channel.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function interrupted(reason: string) {
  const controller = new AbortController()
  const { signalFor } = endingOf(controller.signal)
  const signals = {
    reading: signalFor('GET', 'code-hosting/settings/record'),
    making: signalFor('POST', 'token all'),
    cleaning: signalFor('DELETE', CLEAN_UP),
  }
  controller.abort(reason)
  return () => Object.entries(signals).flatMap(([name, { aborted }]) => (aborted ? [name] : []))
}

describe('the end of a run', () => {
  it('is that of what reads at once, then of what makes, then of what takes away', () => {
    const aborted = interrupted('operator')
    expect(aborted()).toEqual(['reading'])
    vi.advanceTimersByTime(500)
    expect(aborted()).toEqual(['reading', 'making'])
    vi.advanceTimersByTime(600)
    expect(aborted()).toEqual(['reading', 'making'])
    vi.advanceTimersByTime(400)
    expect(aborted()).toEqual(['reading', 'making', 'cleaning'])
  })

  it('leaves time to take things away where nobody waits', () => {
    const aborted = interrupted('internal error')
    vi.advanceTimersByTime(60_000)
    expect(aborted()).toEqual(['reading'])
  })
})
