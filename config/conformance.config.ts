import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { conformance } from '../lib/conformance/vitest-config.ts'

const inProject = (path: string) =>
  fileURLToPath(new URL(`../${path}${extname(import.meta.url)}`, import.meta.url))

/** Configuration for the command line of Vitest; `plumbline run` has its own reporter. */
export default defineConfig({
  ...conformance,
  test: {
    ...conformance.test,
    globalSetup: inProject('lib/cli/vitest-global-setup'),
    reporters: inProject('lib/cli/vitest-reporter'),
  },
})
