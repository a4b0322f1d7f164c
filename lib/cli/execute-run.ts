import { join } from 'node:path'
import { wordsOf } from '../conformance/catalogue.ts'
import type { PlannedCase } from '../conformance/planned-case.ts'
import type { RunSettings } from '../conformance/probe-run.ts'
import { channelOf, discoveredSecrets, interruptRun } from '../conformance/run-channel.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import type { Settings } from '../environment/environment.ts'
import { publicTexts } from '../environment/target.ts'
import { readOutstanding } from '../ledger/read-ledger.ts'
import { type KnownSecret, Redactor } from '../probe/redaction/redaction.ts'
import type { Progress } from '../reports/progress.ts'
import { withReasonTexts } from '../reports/reason-text.ts'
import { assembleReport } from '../results/assemble-report.ts'
import { redactReport } from '../results/redact-report.ts'
import { isTestable, type Requirement, type Version } from '../results/requirement.ts'
import { type CheckReport, gather, noEvidence, type RunEvidence } from '../results/run-evidence.ts'
import type { RunReport } from '../results/run-report.ts'
import { uncaughtListeners, version } from './context.ts'
import {
  checksFor,
  describeDocuments,
  describeTarget,
  newRunId,
  type PreparedTarget,
} from './prepare-run.ts'
import {
  catalogueOf,
  creationsOf,
  documentsStatuses,
  plannedCasesOf,
  secretsOf,
  servicesOf,
} from './services.ts'
import { OutOfMemoryError, type RunListeners, type Suites } from './suite-runner.ts'

export interface ExecuteRunOptions extends Pick<RunListeners, 'log'> {
  requirements: readonly Requirement[]
  /** Folder of the ledger, which exists while created resources are not deleted. */
  directory: string
  progress: Pick<Progress, 'start' | 'add' | 'finish'>
  interruption: Promise<unknown>
  suites: Suites
  /** Failures of requirements of later versions are advisory. */
  asOf?: Version | undefined
  /** Adds to the report before it is redacted. */
  complete?: (report: RunReport) => RunReport
}

/** Returns the texts of the cases of deviating requirements, by id; undefined if there are none. */
function caseTexts(
  { results, cases: ids }: RunReport,
  planned: readonly PlannedCase[],
): Record<string, string> | undefined {
  const texts = new Map(planned.map(({ case: id, text }) => [id, text]))
  const deviating = results.flatMap(({ cases, deviations }) => (deviations && cases ? [cases] : []))
  const numbers = new Set(deviating.flatMap((one) => [...one.deviating, ...one.conforming]))
  const entries = [...numbers].flatMap((number) => {
    const id = ids[number] ?? ''
    const text = texts.get(id)
    return text === undefined ? [] : [[id, text] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Returns a listener that collects evidence, and adds the judged requirements to the progress. */
function createReportListener(
  requirements: readonly Requirement[],
  progress: ExecuteRunOptions['progress'],
  evidence: RunEvidence,
) {
  const testable = requirements.filter(isTestable)
  const expected = new Set(testable.map(({ id }) => id))
  progress.start(testable.length)
  return (report: CheckReport): void => {
    gather(evidence, report)
    if (report.judgement === undefined) return
    const { requirement, verdict } = report.judgement
    if (expected.has(requirement)) progress.add({ requirement, verdict })
  }
}

interface RunEnding {
  interrupted: boolean
  /** True if its thread ran out of memory, which explains all other errors. */
  outOfMemory: boolean
  internalErrors: string[]
}

/** Time limit for cleanup after an internal error. Resources that still exist then are reported as leaked. */
const MAX_CLEANUP_MS = 10_000

/** Time limit for cleanup after an interruption. The process has two seconds in all, and writes reports next. */
const MAX_INTERRUPTED_CLEANUP_MS = 1500

/** Waits for the work of a run; after an interruption or an uncaught error, only for the cleanup time. */
async function awaitEnd(runId: string, interruption: Promise<unknown>, work: () => Promise<void>) {
  const ending: RunEnding = { interrupted: false, outOfMemory: false, internalErrors: [] }
  let abort = (): void => {}
  const aborted = new Promise<void>((resolve) => {
    abort = resolve
  })
  const abortAfter = (ms: number) => setTimeout(abort, ms).unref()
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

export interface ReportedRun extends RunSettings {
  startedAt: Date
  ledgerFile: string
  variables: Settings
}

export function createRunSettings(
  { target, embedded, settings, services }: PreparedTarget,
  requirements: readonly Requirement[],
  directory: string,
): ReportedRun {
  const startedAt = new Date()
  const runId = newRunId(startedAt)
  const secrets = secretsOf(target)
  // A value may contain a secret, such as a body with a password.
  const redactor = new Redactor({ names: publicTexts(target, secrets), secrets })
  const redacted = Object.entries(settings).map(([name, value]) => {
    return [name, typeof value === 'string' ? redactor.redact(value) : value]
  })
  return {
    runId,
    startedAt,
    version,
    target,
    secrets,
    variables: Object.fromEntries(redacted),
    embedded: embedded !== undefined,
    selected: requirements.map(({ id }) => id),
    checks: checksFor(services.map(catalogueOf), requirements),
    documentsStatuses,
    ledgerFile: join(directory, `ledger-${runId}.ndjson`),
  }
}

/** Returns the texts in a value, without names of members. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

export function buildReport(
  evidence: RunEvidence,
  settings: ReportedRun,
  discoveredSecrets: readonly KnownSecret[],
  { interrupted, outOfMemory, internalErrors: others }: RunEnding,
  { asOf, complete = (report) => report }: Pick<ExecuteRunOptions, 'asOf' | 'complete'> = {},
  planned: readonly PlannedCase[] = [],
) {
  const { target, selected, checks, runId, startedAt, embedded, variables, secrets } = settings
  const names = publicTexts(target, secrets)
  const redactor = new Redactor({ words: wordsOf(checks), names, secrets })
  for (const { name, value, minMatchLength } of discoveredSecrets) {
    redactor.add(name, value, minMatchLength)
  }
  // An aborted thread does not report them.
  if (evidence.leakedResources.length === 0) {
    evidence.leakedResources.push(...readOutstanding(settings.ledgerFile, creationsOf))
  }
  const errors = outOfMemory ? [] : [...evidence.internalErrors, ...others]
  const internalErrors = errors.map((text) => redactor.redact(text))
  const catalogues = servicesOf(target).map(catalogueOf)
  const report = assembleReport(evidence, {
    version,
    runId,
    startedAt,
    finishedAt: new Date(),
    interrupted,
    aborted: internalErrors.length > 0 || outOfMemory,
    target: describeTarget(target, embedded),
    documents: describeDocuments(target),
    settings: variables,
    catalogues,
    selected,
    checks,
    wording: target.probe.wording,
    asOf,
  })
  const ofCases = caseTexts(report, planned)
  const texts = new Set([...catalogues.flatMap(textsIn), ...textsIn(ofCases)])
  const described = { ...report, ...(ofCases && { caseTexts: ofCases }) }
  const redacted = redactReport(complete(withReasonTexts(described)), redactor, texts)
  return { report: redacted, internalErrors, outOfMemory }
}

/** Probes a target with the suites, and stops the reference server that was started for it. */
export async function executeRun(prepared: PreparedTarget, options: ExecuteRunOptions) {
  const { requirements, progress, directory, interruption, suites, log } = options
  const evidence = noEvidence()
  const onReport = createReportListener(requirements, progress, evidence)
  const settings = createRunSettings(prepared, requirements, directory)
  const { runId } = settings
  const discovered = discoveredSecrets(runId)
  const ending = await awaitEnd(runId, interruption, () => suites.run(settings, { onReport, log }))
  progress.finish()
  await prepared.embedded?.close()
  const secrets = discovered.all()
  discovered.close()
  const planned = await plannedCasesOf(servicesOf(prepared.target), prepared.target)
  return buildReport(evidence, settings, secrets, ending, options, planned)
}
