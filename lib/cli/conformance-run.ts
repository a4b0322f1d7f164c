import { createVitest, type PoolRunnerInitializer } from 'vitest/node'
import { conformance } from '../../config/conformance.config.ts'
import type { RunSettings } from '../conformance/run-settings.ts'
import type { ConformanceReporter } from '../reports/conformance-reporter.ts'

/**
 * Vitest ends the process on a signal, before anything is taken away: what to do is up to the
 * command. Signals come between tasks only, so that a listener which is gone by the end of the task
 * that added it never hears one.
 */
async function keepingSignals<T>(create: () => Promise<T>): Promise<T> {
  const forget = (event: string | symbol, listener: NodeJS.SignalsListener) => {
    if (event === 'SIGINT' || event === 'SIGTERM') {
      queueMicrotask(() => process.off(event, listener))
    }
  }
  process.on('newListener', forget)
  try {
    return await create()
  } finally {
    process.off('newListener', forget)
  }
}

/**
 * Runs the suites with Vitest; the reporter gathers what they tell.
 *
 * @param pool where they run, when not in a thread of their own: with modules of their own all the same
 */
export async function runSuites(
  settings: RunSettings,
  reporter: ConformanceReporter,
  pool?: PoolRunnerInitializer,
): Promise<void> {
  const shared = pool === undefined ? {} : { pool, isolate: true }
  const config = { ...conformance, test: { ...conformance.test, ...shared } }
  const vitest = await keepingSignals(() =>
    createVitest('test', { config: false, watch: false, reporters: [reporter] }, config),
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
