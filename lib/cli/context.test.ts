import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitForInterruption } from './context.ts'

const signals = ['SIGINT', 'SIGTERM'] as const
type Signal = (typeof signals)[number]

let added: Record<Signal, () => NodeJS.SignalsListener[]>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const addedTo = (signal: Signal) => {
    const before = process.listeners(signal)
    return () => process.listeners(signal).filter((listener) => !before.includes(listener))
  }
  added = { SIGINT: addedTo('SIGINT'), SIGTERM: addedTo('SIGTERM') }
})

afterEach(() => {
  for (const signal of signals) {
    for (const listener of added[signal]()) process.off(signal, listener)
  }
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each<[Signal, Signal, number, number]>([
  ['SIGINT', 'SIGTERM', 150, 1],
  ['SIGTERM', 'SIGINT', 150, 1],
  // npm repeats Ctrl-C.
  ['SIGINT', 'SIGINT', 50, 0],
])(
  'waitForInterruption resolves on %s, and %s after %i ms ends the process if it is a new signal',
  async (first, second, ms, exits) => {
    const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const interrupted = waitForInterruption('Coming to an end.')
    for (const listener of added[first]()) listener(first)
    await interrupted
    expect(reported).toHaveBeenCalledExactlyOnceWith('\nComing to an end.\n')
    vi.advanceTimersByTime(ms)
    for (const listener of added[second]()) listener(second)
    expect(exit.mock.calls).toEqual(Array(exits).fill([3]))
  },
)
