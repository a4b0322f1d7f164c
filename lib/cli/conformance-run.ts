import { Writable } from 'node:stream'
import { createVitest, type PoolRunnerInitializer } from 'vitest/node'
import { conformance, evaluatedAnew } from '../../config/conformance.config.ts'
import type { RunSettings } from '../conformance/run.ts'
import type { ConformanceReporter } from '../reports/conformance-reporter.ts'

const upToTheCommand: readonly (string | symbol)[] = ['SIGINT', 'SIGTERM', 'unhandledRejection']

/**
 * Vitest ends the process on a signal and on an error that nobody catches, before anything is taken
 * away or reported: what to do is up to the command. Signals come between tasks only, so that a
 * listener which is gone by the end of the task that added it never hears one.
 */
async function keepingProcess<T>(create: () => Promise<T>): Promise<T> {
  const forget = (event: string | symbol, listener: () => void) => {
    if (upToTheCommand.includes(event)) queueMicrotask(() => process.off(event, listener))
  }
  process.on('newListener', forget)
  try {
    return await create()
  } finally {
    process.off('newListener', forget)
  }
}

/** A stream of which every text goes to `tell`. */
function streamTo(tell: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      tell(String(chunk))
      done()
    },
  })
}

export interface SuitesOptions {
  /** Is handed what Vitest, or a library in the thread of the suites, says on a terminal. */
  tell?: (text: string) => void
  /** Where they run, when not in a thread of their own: with modules of their own all the same. */
  pool?: PoolRunnerInitializer
}

/** Runs the suites with Vitest; the reporter gathers what they tell. */
export async function runSuites(
  settings: RunSettings,
  reporter: ConformanceReporter,
  { tell = () => {}, pool }: SuitesOptions = {},
): Promise<void> {
  const shared = pool === undefined ? {} : { pool, ...evaluatedAnew }
  const config = { ...conformance, test: { ...conformance.test, ...shared } }
  const terminal = { stdout: streamTo(tell), stderr: streamTo(tell) }
  const vitest = await keepingProcess(() =>
    createVitest('test', { config: false, watch: false, reporters: [reporter] }, config, terminal),
  )
  try {
    vitest.provide('run', settings)
    await vitest.start()
  } finally {
    await vitest.close()
    // Vitest sets it for failed tests; what they mean is for the caller to say.
    process.exitCode = undefined
  }
}
