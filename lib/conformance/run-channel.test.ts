import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CLEAN_UP } from './check-scope.ts'
import { createRequestSignals } from './run-channel.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function interrupted(reason: string) {
  const controller = new AbortController()
  const signalFor = createRequestSignals(controller.signal)
  const signals = {
    reading: signalFor('GET', 'code-hosting/settings/record'),
    making: signalFor('POST', 'token all'),
    cleaning: signalFor('DELETE', CLEAN_UP),
  }
  controller.abort(reason)
  return () => Object.entries(signals).flatMap(([name, { aborted }]) => (aborted ? [name] : []))
}

describe('createRequestSignals', () => {
  it('aborts reading requests immediately, then creating requests, then cleanup', () => {
    const aborted = interrupted('operator')
    expect(aborted()).toEqual(['reading'])
    vi.advanceTimersByTime(500)
    expect(aborted()).toEqual(['reading', 'making'])
    vi.advanceTimersByTime(600)
    expect(aborted()).toEqual(['reading', 'making'])
    vi.advanceTimersByTime(400)
    expect(aborted()).toEqual(['reading', 'making', 'cleaning'])
  })

  it('does not limit cleanup after an internal error', () => {
    const aborted = interrupted('internal error')
    vi.advanceTimersByTime(60_000)
    expect(aborted()).toEqual(['reading'])
  })
})
