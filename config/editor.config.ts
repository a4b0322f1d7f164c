import { defineConfig } from 'vitest/config'
import conformance from './conformance.config.ts'
import tests from './tests.config.ts'

/** Configuration for editors: a test for each requirement, and the tests of Plumbline. */
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
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
