import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'
import { type Instrumented, type Mutant, namespaceOf } from './instrument.ts'

/** Tests of tables, which hold their cases against the set of allowed pairs. */
export interface TableTests {
  /** Returns true if a test of the files fails with a mutant. */
  fail(files: readonly string[], mutant?: Mutant): Promise<boolean>
}

const setupFile = fileURLToPath(new URL('model-setup.ts', import.meta.url))

/** Opens test files, with all mutants in the modules that they import. */
export async function openTableTests(
  files: readonly string[],
  { code }: Instrumented,
): Promise<TableTests> {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const test = { include: [...files], setupFiles: [setupFile], pool: 'threads' as const, bail: 1 }
  const plugins = [{ name: 'changes', load: (id: string) => code.get(id) }]
  const options = { config: false as const, watch: false, root, reporters: [{}] }
  const vitest = await createVitest('test', options, { test, plugins })
  const specifications = await vitest.globTestSpecifications()

  async function run(some: readonly string[], mutant?: Mutant): Promise<boolean> {
    vitest.provide('changes', { ...namespaceOf(mutant) })
    const isOf = (path: string) => some.some((file) => path.endsWith(`/${file}`))
    const ofThem = specifications.filter(({ moduleId }) => isOf(moduleId))
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(ofThem)
    // Vitest sets it for failed tests.
    process.exitCode = undefined
    return unhandledErrors.length > 0 || testModules.some((module) => !module.ok())
  }

  // Vitest has one run at a time.
  let last: Promise<unknown> = Promise.resolve()
  return {
    fail(some, mutant) {
      const failed = last.then(() => run(some, mutant))
      last = failed.catch(() => {})
      return failed
    },
  }
}
