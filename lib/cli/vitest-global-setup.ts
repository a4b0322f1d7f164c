import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { processContext, UsageError } from './context.ts'
import { createRunSettings } from './execute-run.ts'
import { prepareDirectory, reportsFolder } from './files.ts'
import { prepareTarget } from './prepare-run.ts'
import { selectRequirements } from './select.ts'
import { cataloguesOf } from './services.ts'

async function prepare() {
  const prepared = await prepareTarget({}, processContext())
  const folder = resolve(reportsFolder(prepared.embedded !== undefined))
  prepareDirectory(folder)
  return { prepared, folder }
}

/** Prepares a run with Vitest's command line like `plumbline run` without options. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { prepared, folder } = await prepare().catch((error) => {
    if (error instanceof UsageError) error.stack = error.message
    throw error
  })
  const requirements = selectRequirements(cataloguesOf(prepared.target), [])
  const reporters = project.vitest.config.reporters.flat().map(String)
  const hasReporter = reporters.some((name) => /vitest-reporter\.[jt]s$/.test(name))
  const provideRun = () => {
    const run = createRunSettings(prepared, requirements, folder)
    project.provide('run', { ...run, withoutExchanges: !hasReporter })
  }
  provideRun()
  project.onTestsRerun(async () => provideRun())
  return async () => prepared.embedded?.close()
}
