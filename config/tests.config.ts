import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The project's own tests. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['lib/**/*.test.ts', 'suites/**/*.test.ts', 'config/**/*.test.ts'],
    testTimeout: 60_000,
  },
})
