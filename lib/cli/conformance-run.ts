import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'
import type { RunSettings } from '../conformance/run-settings.ts'
import type { ConformanceReporter } from '../reports/conformance-reporter.ts'

const CONFIGURATION = fileURLToPath(new URL('../../config/conformance.config.ts', import.meta.url))

/** Runs the suites with Vitest; the reporter gathers what they tell. */
export async function runSuites(
  settings: RunSettings,
  reporter: ConformanceReporter,
): Promise<void> {
  const vitest = await createVitest('test', {
    config: CONFIGURATION,
    watch: false,
    reporters: [reporter],
  })
  try {
    vitest.provide('run', settings)
    await vitest.start()
  } finally {
    await vitest.close()
    // Vitest sets it for failed tests; what they mean is for the caller to say.
    process.exitCode = undefined
  }
}
