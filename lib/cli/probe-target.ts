import { join } from 'node:path'
import { describeDefect } from '../conformance/judgement.ts'
import { type Requirement, wordsIn } from '../conformance/requirement.ts'
import type { RowReport } from '../conformance/row-report.ts'
import type { RunSettings } from '../conformance/run.ts'
import { channelOf, interruptRun, learntSecrets } from '../conformance/run-channel.ts'
import { defaultSampling, type Sampling } from '../conformance/sampling.ts'
import type { Settings } from '../environment/environment.ts'
import { publicTexts } from '../environment/target.ts'
import { type KnownSecret, Redactor } from '../probe/redaction.ts'
import { assembleReport, decisive } from '../reports/assemble-report.ts'
import type { Progress } from '../reports/progress.ts'
import { gather, noEvidence, type RunEvidence, redactEvidence } from '../reports/run-evidence.ts'
import { uncaughtListeners, version } from './context.ts'
import {
  checksFor,
  describeDocuments,
  describeTarget,
  newRunId,
  type PreparedTarget,
} from './prepare-run.ts'
import { outstandingIn } from './read-ledger.ts'
import { catalogueOf, catalogues, documentsStatuses, secretsOf, servicesOf } from './services.ts'
import { OutOfMemory, type Suites } from './suites.ts'

export interface ProbeTargetOptions {
  requirements: readonly Requirement[]
  /** Where the ledger is kept while something is left to take away. */
  directory: string
  progress: Pick<Progress, 'start' | 'add' | 'finish'>
  sampling?: Sampling
  interruption: Promise<unknown>
  /** Is handed what a library in the thread of the suites says on a terminal. */
  tell: (text: string) => void
  suites: Suites
}

/** Gathers what is told, and the progress of each requirement once everything that judges it has told. */
function gatherFor(
  requirements: readonly Requirement[],
  progress: ProbeTargetOptions['progress'],
  evidence: RunEvidence,
) {
  const testable = requirements.filter(({ judged }) => !judged.includes('untestable'))
  const expected = new Map(testable.map(({ id, judged }) => [id, judged.length]))
  progress.start(testable.length)
  return (report: RowReport): void => {
    gather(evidence, report)
    if (report.judgement === undefined) return
    const { requirement } = report.judgement
    const judgements = evidence.judgements.filter((one) => one.requirement === requirement)
    const verdict = decisive(judgements)?.verdict
    if (judgements.length === expected.get(requirement) && verdict !== undefined) {
      progress.add({ requirement, verdict })
    }
  }
}

/** How a run came to its end. */
export interface Ending {
  interrupted: boolean
  /** Its thread has ended for want of memory, which explains all other defects. */
  outOfMemory: boolean
  defects: string[]
}

/** For what a run that breaks off has to take away; then it is left behind. */
const LONGEST_ENDING_MS = 10_000

/**
 * Waits for the work of a run. It is given up when it has been interrupted, or nobody has caught an
 * error in its thread or this one, and then does not come to its end in time.
 */
async function untilEnd(runId: string, interruption: Promise<unknown>, work: () => Promise<void>) {
  const ending: Ending = { interrupted: false, outOfMemory: false, defects: [] }
  let giveUp = (): void => {}
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const endSoon = (ms = LONGEST_ENDING_MS) => setTimeout(giveUp, ms).unref()
  let asking: NodeJS.Timeout | undefined
  void interruption.then(() => {
    ending.interrupted = true
    interruptRun(runId)
    // A thread that is only starting has not heard it.
    asking = setInterval(() => interruptRun(runId), 50).unref()
    // The reports follow, and two seconds are all there is.
    endSoon(1500)
  })
  const uncaught = channelOf('uncaught', runId)
  uncaught.listen(({ defect, fatal }) => {
    ending.defects.push(defect)
    if (fatal) endSoon()
  })
  const onError = (error: unknown): void => {
    ending.defects.push(describeDefect(error))
    interruptRun(runId, 'internal error')
    endSoon()
  }
  uncaughtListeners.add(onError)
  try {
    await Promise.race([work(), givenUp])
  } catch (error) {
    ending.outOfMemory = error instanceof OutOfMemory
    ending.defects.push(describeDefect(error))
  }
  uncaughtListeners.delete(onError)
  clearInterval(asking)
  uncaught.close()
  return ending
}

/** Of one run: what the suites are told, and the report besides. */
export interface ReportedRun extends RunSettings {
  startedAt: Date
  ledgerFile: string
  /** What it was configured with, by variable. */
  variables: Settings
  sampling: Sampling
}

/** A run that begins now. */
export function beginRun(
  { target, embedded, settings, services }: PreparedTarget,
  requirements: readonly Requirement[],
  directory: string,
  sampling = defaultSampling,
): ReportedRun {
  const startedAt = new Date()
  const runId = newRunId(startedAt)
  const secrets = secretsOf(target)
  // A value may repeat a secret, such as a body with a password.
  const redactor = new Redactor()
  redactor.addNames(publicTexts(target, secrets))
  for (const { name, value } of secrets) redactor.add(name, value)
  const shown = Object.entries(settings).map(([name, value]) => {
    return [name, typeof value === 'string' ? redactor.redact(value) : value]
  })
  return {
    runId,
    startedAt,
    version,
    target,
    secrets,
    variables: Object.fromEntries(shown),
    embedded: embedded !== undefined,
    selected: requirements.map(({ id }) => id),
    checks: checksFor(services.map(catalogueOf), requirements),
    sampling,
    documentsStatuses,
    ledgerFile: join(directory, `ledger-${runId}.ndjson`),
  }
}

/** The report on what a run has told, and the defects of our own. */
export function reportOn(
  gathered: RunEvidence,
  settings: ReportedRun,
  learnt: readonly KnownSecret[],
  { interrupted, outOfMemory, defects: others }: Ending,
) {
  const { target, selected, checks, runId, startedAt, embedded, variables, sampling } = settings
  const redactor = new Redactor({ words: wordsIn(checks) })
  for (const { name, value, enough } of learnt) redactor.add(name, value, enough)
  const evidence = redactEvidence(gathered, redactor)
  // The thread that judges tells it last, if it comes to that.
  if (evidence.leftBehind.length === 0) {
    evidence.leftBehind.push(...outstandingIn(settings.ledgerFile, catalogues))
  }
  const met = outOfMemory ? [] : [...evidence.defects, ...others]
  const defects = met.map((text) => redactor.redact(text))
  const report = assembleReport(evidence, {
    version,
    runId,
    startedAt,
    finishedAt: new Date(),
    seed: sampling.seed,
    interrupted,
    brokenOff: defects.length > 0 || outOfMemory,
    target: describeTarget(target, embedded),
    documents: describeDocuments(target),
    settings: variables,
    catalogues: servicesOf(target).map(catalogueOf),
    selected,
    checks,
    wording: target.probe.wording,
  })
  return { report, defects, outOfMemory }
}

/** Probes a target with the suites, and stops the deployment that was started for it. */
export async function probeTarget(prepared: PreparedTarget, options: ProbeTargetOptions) {
  const { requirements, progress, directory, sampling, interruption, suites, tell } = options
  const evidence = noEvidence()
  const onReport = gatherFor(requirements, progress, evidence)
  const settings = beginRun(prepared, requirements, directory, sampling)
  const { runId } = settings
  const learnt = learntSecrets(runId)
  const ending = await untilEnd(runId, interruption, () => suites.run(settings, { onReport, tell }))
  progress.finish()
  await prepared.embedded?.close()
  const secrets = learnt.all()
  learnt.close()
  return reportOn(evidence, settings, secrets, ending)
}
