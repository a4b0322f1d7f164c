import { defineConfig } from 'vitest/config'
import conformance from './conformance.config.ts'
import tests from './tests.config.ts'

/** For editors, which run a check by its file: the suites one by one, and the project's own tests. */
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
