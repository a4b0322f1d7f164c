import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The project's own tests. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['lib/**/*.test.ts', 'suites/**/*.test.ts', 'config/**/*.test.ts'],
    testTimeout: 60_000,
    // Most of the time a test waits for a command. Vitest would leave one core for others.
    maxWorkers: availableParallelism(),
  },
})
