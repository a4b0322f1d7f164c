import { once } from 'node:events'
import { join } from 'node:path'
import { channelOf, discoveredSecrets, interruptRun } from '../conformance/run-channel.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import { buildReport, type ReportedRun, type RunEnding } from '../reports/build-report.ts'
import type { Progress } from '../reports/progress.ts'
import { isTestable, type Requirement, type Version } from '../results/requirement.ts'
import { type CheckResult, noEvidence } from '../results/run-evidence.ts'
import type { RunReport } from '../results/run-report.ts'
import { uncaughtListeners, version } from './context.ts'
import { newRunId, type PreparedTarget } from './prepare-run.ts'
import { checksFor } from './select.ts'
import { cataloguesOf, creationsOf, plannedCasesOf } from './services.ts'
import { OutOfMemoryError, type Suites } from './suite-runner.ts'

interface ExecuteRunOptions {
  requirements: readonly Requirement[]
  /** Folder of the ledger, which exists while created resources are not deleted. */
  directory: string
  progress?: Progress
  interruption: Promise<unknown>
  suites: Suites
  /** Receives what the suites write to stdout and stderr. */
  log: (text: string) => void
  /** Failures of requirements of later versions are advisory. */
  asOf?: Version | undefined
  /** Adds to the report before it is redacted. */
  complete?: (report: RunReport) => RunReport
}

/** Time limit for cleanup after an internal error. Resources that still exist then are reported as leaked. */
const MAX_CLEANUP_MS = 10_000

/** Time limit for cleanup after an interruption. The process has two seconds in all, and writes reports next. */
const MAX_INTERRUPTED_CLEANUP_MS = 1500

/** Waits for the work of a run; after an interruption or an uncaught error, only for the cleanup time. */
async function awaitEnd(runId: string, interruption: Promise<unknown>, work: () => Promise<void>) {
  const ending: RunEnding = { interrupted: false, outOfMemory: false, internalErrors: [] }
  const deadline = new AbortController()
  const aborted = once(deadline.signal, 'abort')
  const abortAfter = (ms: number) => setTimeout(() => deadline.abort(), ms).unref()
  let repetition: NodeJS.Timeout | undefined
  void interruption.then(() => {
    ending.interrupted = true
    interruptRun(runId)
    // A thread that is still starting does not receive it.
    repetition = setInterval(() => interruptRun(runId), 50).unref()
    abortAfter(MAX_INTERRUPTED_CLEANUP_MS)
  })
  const uncaught = channelOf('uncaught', runId)
  uncaught.listen(({ internalError, fatal }) => {
    ending.internalErrors.push(internalError)
    if (fatal) abortAfter(MAX_CLEANUP_MS)
  })
  const onError = (error: unknown): void => {
    ending.internalErrors.push(describeInternalError(error))
    interruptRun(runId, 'internal error')
    abortAfter(MAX_CLEANUP_MS)
  }
  uncaughtListeners.add(onError)
  try {
    // An earlier interruption, such as during --wait, is handled first; then nothing is sent.
    await Promise.resolve()
    if (!ending.interrupted) await Promise.race([work(), aborted])
  } catch (error) {
    ending.outOfMemory = error instanceof OutOfMemoryError
    ending.internalErrors.push(describeInternalError(error))
  }
  uncaughtListeners.delete(onError)
  clearInterval(repetition)
  uncaught.close()
  return ending
}

export function createRunSettings(
  { embedded, ...configured }: PreparedTarget,
  requirements: readonly Requirement[],
  directory: string,
): ReportedRun {
  const catalogues = cataloguesOf(configured.target)
  const startedAt = new Date()
  const runId = newRunId(startedAt)
  return {
    ...configured,
    runId,
    startedAt,
    version,
    embedded: embedded !== undefined,
    selected: requirements.map(({ id }) => id),
    checks: checksFor(catalogues, requirements),
    documentsStatuses: catalogues.flatMap((one) => (one.documentsStatuses ? one.service : [])),
    ledgerFile: join(directory, `ledger-${runId}.ndjson`),
  }
}

/** Probes a target with the suites, and stops the reference server that was started for it. */
export async function executeRun(prepared: PreparedTarget, options: ExecuteRunOptions) {
  const { requirements, progress, directory, interruption, suites, log } = options
  const { target, embedded } = prepared
  const testable = new Set(requirements.filter(isTestable).map(({ id }) => id))
  progress?.start(testable.size)
  const evidence = noEvidence()
  const onJudged = ({ requirement, verdict }: CheckResult): void => {
    if (testable.has(requirement)) progress?.advance(verdict === 'fail')
  }
  const settings = createRunSettings(prepared, requirements, directory)
  const { runId } = settings
  const discovered = discoveredSecrets(runId)
  const ending = await awaitEnd(runId, interruption, () =>
    suites.run(settings, { evidence, onJudged, log }),
  )
  progress?.finish()
  await embedded?.close()
  const found = discovered.all()
  discovered.close()
  return buildReport(evidence, settings, ending, {
    catalogues: cataloguesOf(target),
    creationsOf,
    discoveredSecrets: found,
    planned: plannedCasesOf(target),
    asOf: options.asOf,
    complete: options.complete,
  })
}
