import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ViteUserConfig } from 'vitest/config'

/** `.js` where everything is compiled, as in a package. */
const extension = extname(import.meta.url)

/** How the suites run, whoever runs them. */
export const conformance = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [`suites/all.suite${extension}`],
    setupFiles: [`lib/conformance/vitest-setup${extension}`],
    // Where nothing that is asked for can be judged, the verdict says so.
    passWithNoTests: true,
    pool: 'threads',
    maxWorkers: 1,
    // The probe bounds the requests; a bound on the checks would only leave connections idle.
    maxConcurrency: 10_000,
    // Each request has a time limit of its own, and a one-time code may have to be waited for.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 5_000,
    // Where a package is installed, nothing may be writable.
    cache: false,
    disableConsoleIntercept: true,
  },
} satisfies ViteUserConfig
