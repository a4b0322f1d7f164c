import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { conformance } from '../lib/conformance/vitest-config.ts'

const inProject = (path: string) =>
  fileURLToPath(new URL(`../${path}${extname(import.meta.url)}`, import.meta.url))

/** For Vitest's own command line. `plumbline run` prepares and reports by itself. */
export default defineConfig({
  ...conformance,
  test: {
    ...conformance.test,
    globalSetup: inProject('lib/cli/vitest-global-setup'),
    reporters: inProject('lib/cli/vitest-reporter'),
  },
})
