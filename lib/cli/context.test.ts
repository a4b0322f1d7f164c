import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askedToStop } from './context.ts'

const signals = ['SIGINT', 'SIGTERM'] as const
let before: Record<(typeof signals)[number], NodeJS.SignalsListener[]>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  before = {
    SIGINT: process.listeners('SIGINT') as NodeJS.SignalsListener[],
    SIGTERM: process.listeners('SIGTERM') as NodeJS.SignalsListener[],
  }
})

afterEach(() => {
  for (const signal of signals) {
    for (const listener of process.listeners(signal) as NodeJS.SignalsListener[]) {
      if (!before[signal].includes(listener)) process.off(signal, listener)
    }
  }
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Those that have been added since the test began, called as the signal would. */
function receive(signal: (typeof signals)[number]): void {
  for (const listener of process.listeners(signal) as NodeJS.SignalsListener[]) {
    if (!before[signal].includes(listener)) listener(signal)
  }
}

describe('a process that is asked to stop', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('says so at %s, and exits with status 3 at %s', async (first, second) => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const asked = askedToStop('Coming to an end.')
    receive(first)
    await asked
    expect(told).toHaveBeenCalledExactlyOnceWith('\nComing to an end.\n')
    expect(exit).not.toHaveBeenCalled()
    vi.advanceTimersByTime(150)
    receive(second)
    expect(exit).toHaveBeenCalledExactlyOnceWith(3)
  })

  it('takes the same signal from two sides for one', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const asked = askedToStop()
    receive('SIGINT')
    vi.advanceTimersByTime(50)
    receive('SIGINT')
    await asked
    expect(exit).not.toHaveBeenCalled()
  })
})
