import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { createVitest, type PoolRunnerInitializer } from 'vitest/node'
import { conformance, evaluatedAnew } from '../../config/conformance.config.ts'
import { outstandingIn } from '../conformance/ledger.ts'
import { type Requirement, wordsIn } from '../conformance/requirement.ts'
import type { RunReport } from '../conformance/result.ts'
import type { RunSettings } from '../conformance/run.ts'
import { inbox } from '../conformance/run-channel.ts'
import type { Settings } from '../environment/environment.ts'
import { Redactor } from '../probe/redaction.ts'
import { assembleReport, decisive } from '../reports/assemble-report.ts'
import { ConformanceReporter } from '../reports/conformance-reporter.ts'
import type { Progress } from '../reports/progress.ts'
import { redactEvidence } from '../reports/redact-evidence.ts'
import { version } from './context.ts'
import type { PreparedTarget } from './prepare-run.ts'
import { untilEnd } from './run-ending.ts'
import { catalogueOf, catalogues, documentsStatuses, secretsOf } from './services.ts'

export interface ProbeTargetOptions {
  /** Those to judge. */
  requirements: readonly Requirement[]
  /** Where the ledger is kept while something is left to take away. */
  directory: string
  progress?: Pick<Progress, 'start' | 'add' | 'finish'>
  /** Resolves when the run is to stop. */
  interruption?: Promise<unknown>
  /** Is handed what libraries say on a terminal. */
  tell?: (text: string) => void
  /** Where the suites run, when not in a thread of their own. */
  pool?: PoolRunnerInitializer
}

export interface ProbedTarget {
  report: RunReport
  /** What went wrong in Plumbline itself. */
  defects: readonly string[]
}

/** Unique, and sorted by time: it begins with the minute. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  return `${stamp}-${randomBytes(3).toString('hex')}`
}

/** The probed services as reports name them. */
export function describeTarget({
  target,
  services,
  embedded,
}: PreparedTarget): RunReport['target'] {
  return Object.fromEntries(
    services.map((key) => [
      key,
      {
        baseUrl: target[key]?.baseUrl ?? '',
        ...(embedded === undefined ? {} : { embedded: true }),
      },
    ]),
  )
}

/** A value may repeat a secret, such as a body with a password. */
function redactedSettings({ target, settings }: PreparedTarget): Settings {
  const redactor = new Redactor()
  for (const { name, value } of secretsOf(target)) redactor.add(name, value)
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'string' ? redactor.redact(value) : value,
    ]),
  )
}

/** Tells the progress of each requirement once, when everything that judges it has. */
function reporterFor(
  requirements: readonly Requirement[],
  progress: ProbeTargetOptions['progress'],
): ConformanceReporter {
  const testable = requirements.filter(({ judged }) => !judged.includes('untestable'))
  const expected = new Map(testable.map(({ id, judged }) => [id, judged.length]))
  progress?.start(testable.length)
  const reporter = new ConformanceReporter(({ requirement }) => {
    const told = reporter.evidence.judgements.filter(
      (judgement) => judgement.requirement === requirement,
    )
    const verdict = decisive(told)?.verdict
    if (told.length === expected.get(requirement) && verdict !== undefined) {
      progress?.add({ requirement, verdict })
    }
  })
  return reporter
}

const upToTheCommand: readonly (string | symbol)[] = ['SIGINT', 'SIGTERM', 'unhandledRejection']

/**
 * Vitest ends the process on a signal and on an error that nobody catches, before anything is taken
 * away or reported: what to do is up to the command. Signals come between tasks only, so that a
 * listener which is gone by the end of the task that added it never hears one.
 */
async function keepingProcess<T>(create: () => Promise<T>): Promise<T> {
  const forget = (event: string | symbol, listener: () => void) => {
    if (upToTheCommand.includes(event)) queueMicrotask(() => process.off(event, listener))
  }
  process.on('newListener', forget)
  try {
    return await create()
  } finally {
    process.off('newListener', forget)
  }
}

/** A stream of which every text goes to `tell`. */
function streamTo(tell: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      tell(String(chunk))
      done()
    },
  })
}

interface SuitesOptions {
  /** Is handed what Vitest, or a library in the thread of the suites, says on a terminal. */
  tell?: (text: string) => void
  /** Where they run, when not in a thread of their own: with modules of their own all the same. */
  pool?: PoolRunnerInitializer
}

/** Runs the suites with Vitest; the reporter gathers what they tell. */
async function runSuites(
  settings: RunSettings,
  reporter: ConformanceReporter,
  { tell = () => {}, pool }: SuitesOptions = {},
): Promise<void> {
  const shared = pool === undefined ? {} : { pool, ...evaluatedAnew }
  const config = { ...conformance, test: { ...conformance.test, ...shared } }
  const terminal = { stdout: streamTo(tell), stderr: streamTo(tell) }
  const vitest = await keepingProcess(() =>
    createVitest('test', { config: false, watch: false, reporters: [reporter] }, config, terminal),
  )
  try {
    vitest.provide('run', settings)
    await vitest.start()
  } finally {
    await vitest.close()
    // Vitest sets it for failed tests; what they mean is for the caller to say.
    process.exitCode = undefined
  }
}

/** Probes a target with the suites, and stops the deployment that was started for it. */
export async function probeTarget(
  prepared: PreparedTarget,
  { requirements, directory, progress, interruption, tell, pool }: ProbeTargetOptions,
): Promise<ProbedTarget> {
  const { target, services, embedded } = prepared
  const startedAt = new Date()
  const runId = newRunId(startedAt)
  const selected = requirements.map(({ id }) => id)
  const reporter = reporterFor(requirements, progress)
  const settings = {
    runId,
    version,
    target,
    secrets: secretsOf(target),
    embedded: embedded !== undefined,
    selected,
    documentsStatuses,
    ledgerFile: join(directory, `ledger-${runId}.ndjson`),
  }
  const secrets = inbox('secret', runId)
  const ending = await untilEnd(runId, interruption, () =>
    runSuites(settings, reporter, { tell, pool }),
  )
  progress?.finish()
  await embedded?.close()
  const redactor = new Redactor({ words: wordsIn(selected) })
  for (const { name, value } of secrets.take()) redactor.add(name, value)
  secrets.close()
  const evidence = redactEvidence(reporter.evidence, redactor)
  // The thread that judges tells it last, if it comes to that.
  if (evidence.leftBehind.length === 0) {
    evidence.leftBehind.push(...outstandingIn(settings.ledgerFile, catalogues))
  }
  const defects = [...evidence.defects, ...ending.defects].map((text) => redactor.redact(text))
  const report = assembleReport(evidence, {
    version,
    runId,
    startedAt,
    finishedAt: new Date(),
    interrupted: ending.interrupted,
    brokenOff: defects.length > 0,
    target: describeTarget(prepared),
    settings: redactedSettings(prepared),
    catalogues: services.map(catalogueOf),
    selected,
    wording: target.probe.wording,
  })
  return { report, defects }
}
