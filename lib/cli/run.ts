import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { findOpenLedgers } from '../ledger/read-ledger.ts'
import { isMetrics } from '../reports/metrics.ts'
import { createProgress } from '../reports/progress.ts'
import { sweepCommand } from '../reports/rerun-commands.ts'
import { coverageOf } from '../results/outcome.ts'
import { isOtherFile, readHistory } from '../runs/history/history.ts'
import { isMissing, readingProblem } from '../text/read-file.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { executeRun } from './execute-run.ts'
import { openFile, prepareDirectory, reportsFolder } from './files.ts'
import { prepareTarget } from './prepare-run.ts'
import type { RunHistory } from './present.ts'
import { type RunOptions, startOf } from './run-options.ts'
import { selectRequirements } from './select.ts'
import { cataloguesOf, creationsOf } from './services.ts'
import { Suites } from './suite-runner.ts'

export { define } from './run-options.ts'

const OUT_OF_MEMORY =
  'the run was aborted: out of memory. Lower PROBE_CONCURRENCY or PROBE_MAX_BODY_BYTES, or ' +
  'allow more (NODE_OPTIONS=--max-old-space-size=4096).'

const otherFileError = (option: string, file: string, kind: string) =>
  new UsageError(
    `${option}: ${file} is not a ${kind}. Name another file: it is created if it does not exist. Nothing was sent.`,
  )

function openHistory(name: string, context: CliContext): RunHistory {
  const { path } = openFile('--history', name, context.directory, 'append')
  if (isOtherFile(path)) throw otherFileError('--history', name, 'history of runs')
  try {
    return { path, earlier: readHistory(path).lines }
  } catch (error) {
    if (isMissing(error)) return { path, earlier: [] }
    throw new UsageError(`--history: ${name} ${readingProblem(error)}. Nothing was sent.`)
  }
}

/** Opens the files that options of a run name, before any request is sent. @throws UsageError */
export async function openOperatorFiles(options: RunOptions, context: CliContext) {
  const { waivers: files, history, metrics } = options
  const { directory } = context
  if (metrics !== undefined) {
    const { path, read } = openFile('--metrics', metrics, directory, 'replace')
    const isOther = existsSync(path) && !isMetrics(read())
    if (isOther) throw otherFileError('--metrics', metrics, 'file of metrics')
  }
  const reader = files && (await import('../runs/waivers/waivers-file.ts'))
  const waivers = files?.flatMap((file) => {
    return reader?.readWaivers(openFile('--waivers', file, directory, 'read').read(), file) ?? []
  })
  return { waivers, history: history === undefined ? undefined : openHistory(history, context) }
}

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
  const [{ report, internalErrors, outOfMemory }, { finalizeRun, present }] = await Promise.all([
    running,
    import('./present.ts'),
  ])
  if (outOfMemory) logError(OUT_OF_MEMORY, context)
  logInternalErrors(internalErrors, context)
  const isComplete = internalErrors.length === 0 && !outOfMemory
  return present(finalizeRun(report, isComplete, files, context), directory, context, options)
}
