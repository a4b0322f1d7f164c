import { fileURLToPath } from 'node:url'
import type { ViteUserConfig } from 'vitest/config'

/** How `plumbline run` lets Vitest run the suites; the reporter comes from the command. */
export const conformance = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['suites/all.suite.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // The probe bounds the requests; a bound on the checks would only leave connections idle.
    maxConcurrency: 10_000,
    // Each request has a time limit of its own, and a one-time code may have to be waited for.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 5_000,
    experimental: { fsModuleCache: true },
  },
} satisfies ViteUserConfig
