import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ViteUserConfig } from 'vitest/config'

/** `.js` where everything is compiled, as in a package. */
const extension = extname(import.meta.url)
const isCompiled = extension === '.js'

/** For Vitest's own command line, and editors. `run-suites.ts` does without. */
export const conformance = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [`suites/all.suite${extension}`],
    setupFiles: [`lib/conformance/vitest-setup${extension}`],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // The probe bounds the requests; a bound on the checks would only leave connections idle.
    maxConcurrency: 10_000,
    // Each request has a time limit of its own, and a one-time code may have to be waited for.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 5_000,
    // Where a package is installed, nothing may be writable, and JavaScript is soon transformed.
    cache: false,
    experimental: { fsModuleCache: !isCompiled },
    // Node.js loads what is compiled as it is, and sooner.
    ...(isCompiled ? { server: { deps: { external: [/\/\.build\//] } } } : {}),
  },
} satisfies ViteUserConfig
