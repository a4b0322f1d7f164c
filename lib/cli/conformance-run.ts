import { createVitest } from 'vitest/node'
import { conformance } from '../../config/conformance.config.ts'
import type { RunSettings } from '../conformance/run-settings.ts'
import type { ConformanceReporter } from '../reports/conformance-reporter.ts'

/** Runs the suites with Vitest; the reporter gathers what they tell. */
export async function runSuites(
  settings: RunSettings,
  reporter: ConformanceReporter,
): Promise<void> {
  const vitest = await createVitest(
    'test',
    { config: false, watch: false, reporters: [reporter] },
    conformance,
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
