import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { conformance } from '../conformance/vitest-config.ts'
import { processContext, UsageError } from './context.ts'
import { createRun } from './execute-run.ts'
import { prepareDirectory } from './files.ts'
import { prepareTarget, selectRequirements } from './prepare-run.ts'
import { catalogueOf } from './services.ts'

/** Where a run by Vitest's own command line writes its reports and its ledger. */
export const REPORTS = 'reports'

/** Options of Vitest that would spoil a run. */
function rejectOptions({ bail = 0, maxConcurrency }: TestProject['config']): void {
  if (bail > 0) {
    throw new UsageError('--bail leaves behind what checks have made: run without it.')
  }
  if (maxConcurrency < conformance.test.maxConcurrency) {
    throw new UsageError(
      '--maxConcurrency lets checks wait for each other: PROBE_CONCURRENCY bounds requests.',
    )
  }
}

async function prepare(project: TestProject) {
  rejectOptions(project.config)
  const prepared = await prepareTarget({}, processContext())
  prepareDirectory(resolve(REPORTS))
  return prepared
}

/**
 * For Vitest's own command line: prepares what `plumbline run` prepares when it has no options, and
 * starts the embedded deployment where none is configured.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared = await prepare(project).catch((error) => {
    // Where it was thrown says nothing to an operator.
    if (error instanceof UsageError) error.stack = error.message
    throw error
  })
  const requirements = selectRequirements(prepared.services.map(catalogueOf), [])
  const reporters = project.vitest.config.reporters.flat().map(String)
  const isOurs = reporters.some((name) => /vitest-reporter\.[jt]s$/.test(name))
  const begin = () => {
    const run = createRun(prepared, requirements, resolve(REPORTS))
    // An editor runs the files one by one; its project is one of several.
    const perFile = !project.isRootProject()
    project.provide('run', { ...run, perFile, withoutExchanges: !isOurs })
  }
  begin()
  project.onTestsRerun(async () => begin())
  return async () => prepared.embedded?.close()
}
