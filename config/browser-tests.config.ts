import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests of the HTML report in a real browser; `npm test` does without one. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['lib/**/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Each file has a browser and runs of its own.
    maxWorkers: 2,
  },
})
