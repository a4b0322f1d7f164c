import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ViteUserConfig } from 'vitest/config'

/** `.js` in a compiled package. */
const extension = extname(import.meta.url)

const setupFile = new URL(`../../lib/conformance/vitest-setup${extension}`, import.meta.url)

/** Stops Vite from reading `.env` files, and PostCSS configurations in folders above the package. */
export const isolated = { envDir: false, css: { postcss: {} } } satisfies ViteUserConfig

export const conformance = {
  ...isolated,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [`suites/all.suite${extension}`],
    // Vitest looks up a relative path as an npm package first, in every folder above.
    setupFiles: [fileURLToPath(setupFile)],
    // The verdict reports a run without tests.
    passWithNoTests: true,
    pool: 'threads',
    maxWorkers: 1,
    // The probe limits the requests; a limit on checks would leave connections idle.
    maxConcurrency: 10_000,
    // Each request has a time limit, and a check may wait for a one-time code.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 5_000,
    // The folder of an installed package may be read-only.
    cache: false,
    disableConsoleIntercept: true,
  },
} satisfies ViteUserConfig
