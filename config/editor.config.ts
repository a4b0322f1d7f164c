import { defineConfig } from 'vitest/config'
import conformance from './conformance.config.ts'
import tests from './tests.config.ts'

/** Configuration for editors: each suite as a separate file, and the tests of Plumbline. */
export default defineConfig({
  ...tests,
  test: {
    ...tests.test,
    projects: [
      ...(tests.test?.projects ?? []),
      {
        ...conformance,
        test: {
          ...conformance.test,
          name: 'conformance',
          include: ['suites/*/*.suite.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
