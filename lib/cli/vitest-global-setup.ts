import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { processContext, UsageError } from './context.ts'
import { prepareDirectory } from './files.ts'
import { prepareTarget, selectRequirements } from './prepare-run.ts'
import { beginRun } from './probe-target.ts'
import { catalogueOf } from './services.ts'

/** Where a run by Vitest's own command line writes its reports and its ledger. */
export const REPORTS = 'reports'

/**
 * For Vitest's own command line: prepares what `plumbline run` prepares when it has no options, and
 * starts the embedded deployment where none is configured.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared = await prepareTarget({}, processContext()).catch((error) => {
    // Where it was thrown says nothing to an operator.
    if (error instanceof UsageError) error.stack = error.message
    throw error
  })
  prepareDirectory(resolve(REPORTS))
  const requirements = selectRequirements(prepared.services.map(catalogueOf), [])
  const begin = () => project.provide('run', beginRun(prepared, requirements, resolve(REPORTS)))
  begin()
  project.onTestsRerun(async () => begin())
  return async () => prepared.embedded?.close()
}
