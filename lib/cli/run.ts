import { resolve } from 'node:path'
import { findOpenLedgers } from '../ledger/read-ledger.ts'
import { createProgress } from '../reports/progress.ts'
import { sweepCommand } from '../reports/rerun-commands.ts'
import { coverageOf } from '../results/verdict.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { executeRun } from './execute-run.ts'
import { prepareDirectory, reportsFolder } from './files.ts'
import { finalizeRun, openOperatorFiles } from './operator-files.ts'
import { prepareTarget } from './prepare-run.ts'
import { type RunOptions, startOf } from './run-options.ts'
import { selectRequirements } from './select.ts'
import { cataloguesOf, creationsOf } from './services.ts'
import { Suites } from './suite-runner.ts'

export { define } from './run-options.ts'

const OUT_OF_MEMORY =
  'the run was aborted: out of memory. Lower PROBE_CONCURRENCY or PROBE_MAX_BODY_BYTES, or ' +
  'allow more (NODE_OPTIONS=--max-old-space-size=4096).'

/** Probes the target, writes its reports, and returns the exit status. */
export async function action(options: RunOptions, context: CliContext): Promise<number> {
  if (options.reports?.trim() === '') throw new UsageError('--reports names no directory.')
  const { errors, redactor } = context
  const { asOf, requirement: patterns = [], wait } = options
  const files = await openOperatorFiles(options, context)
  const prepared = await prepareTarget(options, context)
  const { embedded } = prepared
  const chosen = cataloguesOf(prepared.target)
  const requirements = selectRequirements(chosen, patterns, context.program)
  const reports = options.reports ?? reportsFolder(embedded !== undefined)
  const directory = resolve(context.directory, reports)
  prepareDirectory(directory)
  const start = startOf(options, reports, context)
  const openLedgers = findOpenLedgers(directory, start.reports, creationsOf)
  const interruption = context.interruption(
    'Interrupted: deleting created resources. Press Ctrl-C again to stop immediately and delete them ' +
      `later with "${sweepCommand(start.reports, start)}".`,
  )
  const notices = options.quiet ? { write() {} } : errors
  if (embedded !== undefined) {
    notices.write(`No target is configured: probing the reference server at ${embedded.baseUrl}.\n`)
  }
  if (wait !== undefined) {
    const { waitForServices } = await import('./wait-for-services.ts')
    await waitForServices(prepared, wait, { errors: notices, redactor }, interruption)
  }
  const running = executeRun(prepared, {
    requirements,
    directory,
    progress: createProgress(notices),
    interruption,
    log: (text) => errors.write(safeForTerminal(text, redactor)),
    suites: context.suites ?? new Suites(),
    asOf,
    complete(judged) {
      const minimum = options.minJudged?.(coverageOf(judged.results).testable)
      const coverage = coverageOf(judged.results, minimum)
      const run = { ...judged.run, ...start }
      return { ...judged, run, coverage, ...(openLedgers.length > 0 && { openLedgers }) }
    },
  })
  // Loaded while the suites wait for responses.
  const [{ report, internalErrors, outOfMemory }, { present }] = await Promise.all([
    running,
    import('./present.ts'),
  ])
  if (outOfMemory) logError(OUT_OF_MEMORY, context)
  logInternalErrors(internalErrors, context)
  const isComplete = internalErrors.length === 0 && !outOfMemory
  return present(finalizeRun(report, isComplete, files, context), directory, context, options)
}
