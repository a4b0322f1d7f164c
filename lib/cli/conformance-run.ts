import { createVitest } from 'vitest/node'
import { conformance } from '../../config/conformance.config.ts'
import type { RunSettings } from '../conformance/run-settings.ts'
import type { ConformanceReporter } from '../reports/conformance-reporter.ts'

/** Vitest ends the process on a signal, before anything is taken away: what to do is up to the command. */
async function keepingSignals<T>(create: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)))
  const created = await create()
  for (const signal of signals) {
    for (const listener of process.rawListeners(signal)) {
      if (!before.has(listener)) process.off(signal, listener as NodeJS.SignalsListener)
    }
  }
  return created
}

/** Runs the suites with Vitest; the reporter gathers what they tell. */
export async function runSuites(
  settings: RunSettings,
  reporter: ConformanceReporter,
): Promise<void> {
  const vitest = await keepingSignals(() =>
    createVitest('test', { config: false, watch: false, reporters: [reporter] }, conformance),
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
