import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Whole commands, servers that misbehave, the package, templates. */
const processes = [
  'lib/cli/**/*.test.ts',
  'lib/prove/prove.test.ts',
  'config/**/*.test.ts',
  'suites/*/provision/*.test.ts',
]
/** Every fault, every variant and every need. */
const matrix = 'lib/prove/matrix.test.ts'
/** A mock needs modules of its own; the other tests are done in half the time with modules in common. */
const mocking = ['lib', 'suites'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => readFileSync(join(root, path), 'utf8').includes('vi.mock(')),
)

const project = (
  name: string,
  include: string[],
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({ extends: true, test: { name, include, ...options } })

/** A group after the matrix, which keeps every core busy: commands have time limits. */
const commands = {
  globalSetup: 'config/package/compiled.fixture.ts',
  setupFiles: 'lib/cli/cleanup.fixture.ts',
  isolate: false,
  sequence: { groupOrder: 1 },
}

/** The matrix takes longest: begun first, it leaves no core idle while the others end. */
class MatrixFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isMatrix = ({ project }: TestSpecification) => project.name.startsWith('matrix')
    return [...sorted.filter(isMatrix), ...sorted.filter((file) => !isMatrix(file))]
  }
}

/**
 * The project's own tests: `npm test` leaves out the last three projects. `npm run test:all` leaves out `matrix`,
 * of which `matrix-alone` does more.
 */
export default defineConfig({
  root,
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time a test waits for a command. Vitest would leave one core for others.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: MatrixFirst },
    projects: [
      project('unit', ['{lib,suites}/**/*.test.ts'], {
        exclude: [matrix, ...processes, ...mocking],
        isolate: false,
      }),
      project('mocks', mocking),
      project('matrix', [matrix], { provide: { judgedAlone: 'sample' } }),
      project('matrix-alone', [matrix], { provide: { judgedAlone: 'all' } }),
      project('process', processes, commands),
      project('browser', ['lib/**/*.browser.ts'], commands),
    ],
  },
})
