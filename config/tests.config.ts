import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { isolated } from '../lib/conformance/vitest-config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Commands, hostile servers, the package, templates. */
const processes = ['lib/cli/**/*.test.ts', 'config/**/*.test.ts', 'suites/*/provision/*.test.ts']
/** Faults, variants and needs. */
const matrix = ['lib/test-bed/prove/matrix.test.ts']
/** Tests with mocks need separate modules; the others share theirs, which halves their time. */
const mocking = ['lib/conformance/probe-run.test.ts', 'suites/code-hosting/token{s,-*}.test.ts']

const project = (
  name: string,
  include: string[],
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({ extends: true, test: { name, include, ...options } })

/** Runs after the matrix, which uses every core, because commands have time limits. */
const commands = {
  globalSetup: join(root, 'config/package/compiled.fixture.ts'),
  setupFiles: join(root, 'lib/cli/cleanup.fixture.ts'),
  isolate: false,
  sequence: { groupOrder: 1 },
}

/** Tests of Plumbline. `npm run test:all` runs `matrix` instead of `matrix-covering`, a part of it. */
export default defineConfig({
  ...isolated,
  root,
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time a test waits for a command. Vitest would leave one core for others.
    maxWorkers: availableParallelism(),
    projects: [
      project('unit', ['{lib,suites}/**/*.test.ts'], {
        exclude: [...matrix, ...processes, ...mocking],
        isolate: false,
      }),
      project('mocks', mocking),
      project('matrix-covering', matrix, { provide: { wholeMatrix: false } }),
      project('matrix', matrix, { provide: { wholeMatrix: true } }),
      project('process', processes, commands),
      project('browser', ['lib/**/*.browser.ts'], commands),
    ],
  },
})
