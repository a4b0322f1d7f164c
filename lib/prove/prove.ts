import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolRunnerInitializer } from 'vitest/node'
import type { RunReport } from '../conformance/result.ts'
import type { Variant } from '../reference/index.ts'
import { countVerdicts, verdictCountsText } from '../reports/verdict-counts.ts'
import { disagreements, otherThanPlain, type RunOutcome } from './disagreements.ts'
import { exchangeForms } from './exchange-forms.ts'
import { SharedThread } from './shared-thread.ts'
import type { Subject } from './subject.ts'

/** What came of a subject. */
export interface Proof {
  subject: Subject
  /** How the suites did not do what they have to; empty when they did. */
  disagreements: readonly string[]
  /** `102 passed, 0 failed, 12 skipped`; empty where there is no report. */
  counts: string
}

/** What is probed, as options of a run. */
export interface Deployment {
  fault?: string
  variant?: Variant
  service: string[]
}

/**
 * Runs the command against a deployment, with its reports in the directory.
 *
 * @returns its exit status, and what it complained of
 */
export type ProbeDeployment = (
  deployment: Deployment,
  directory: string,
  pool: PoolRunnerInitializer,
) => Promise<{ status: number; complaints: readonly string[] }>

type PlainRun = { report: RunReport; forms: ReadonlySet<string> }

/** Proves one subject after the other, each in runs that share a thread. */
export class Prover {
  readonly #probe: ProbeDeployment
  /** Runs of plain deployments: each is made when it is first asked for, and serves all that need the same. */
  readonly #plainRuns = new Map<string, Promise<PlainRun>>()

  constructor(probe: ProbeDeployment) {
    this.#probe = probe
  }

  /** Runs the command against the deployment of the subject, and judges what it reports. */
  async prove(subject: Subject, thread: SharedThread): Promise<Proof> {
    const { kind, name, variant } = subject
    try {
      const deployment = kind === 'fault' ? { fault: name } : { variant }
      const outcome = await this.#outcomeOf(deployment, subject, thread)
      const { report, complaints } = outcome
      return {
        subject,
        disagreements: [
          ...disagreements(subject, outcome),
          ...(kind === 'fault' ? [] : await this.#besidePlain(subject, report, thread)),
          ...complaints,
        ],
        counts: verdictCountsText(countVerdicts(report.results)),
      }
    } catch (error) {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return { subject, disagreements: [`the run came to no end: ${words}`], counts: '' }
    }
  }

  async #outcomeOf(
    deployment: Omit<Deployment, 'service'>,
    { services }: Subject,
    { pool }: SharedThread,
  ): Promise<RunOutcome & { complaints: readonly string[] }> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
    try {
      const ended = await this.#probe({ ...deployment, service: [...services] }, directory, pool)
      const text = readFileSync(join(directory, 'report.json'), 'utf8')
      return { ...ended, report: JSON.parse(text) }
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  /** What there is to say of a deployment in which nothing, or too much, is other than in the plain one. */
  async #besidePlain(subject: Subject, report: RunReport, thread: SharedThread): Promise<string[]> {
    const { plain, services } = subject
    const key = `${plain?.name ?? ''} ${services.join(' ')}`
    const running =
      this.#plainRuns.get(key) ??
      this.#outcomeOf({ variant: plain }, subject, thread).then((outcome) => ({
        report: outcome.report,
        forms: exchangeForms(outcome.report),
      }))
    this.#plainRuns.set(key, running)
    const before = await running
    const forms = exchangeForms(report)
    const isUnchanged =
      before.forms.size === forms.size && [...forms].every((form) => before.forms.has(form))
    return [
      ...(isUnchanged ? ['it changes no exchange of a run: it proves nothing'] : []),
      ...otherThanPlain(subject, report, before.report),
    ]
  }
}

/** How many runs take place at a time: one more than there are cores, since each waits now and then. */
export function usualThreads(): number {
  return availableParallelism() + 1
}

/**
 * Proves subjects, several at a time.
 *
 * @param options.onProof told of each proof as it is there
 * @param options.signal nothing new is begun any more when it aborts
 * @returns the proofs in the order of the subjects; those that were not begun are missing
 */
export async function proveSideBySide(
  subjects: readonly Subject[],
  options: { probe: ProbeDeployment; onProof?: (proof: Proof) => void; signal?: AbortSignal },
): Promise<Proof[]> {
  const { probe, onProof, signal } = options
  const proofs: Proof[] = []
  const waiting = subjects.entries()
  const prover = new Prover(probe)

  async function proveOneAfterTheOther(): Promise<void> {
    const thread = new SharedThread()
    for (const [index, subject] of waiting) {
      if (signal?.aborted) break
      const proof = await prover.prove(subject, thread)
      proofs[index] = proof
      onProof?.(proof)
    }
    await thread.close()
  }

  const lanes = Math.min(usualThreads(), subjects.length)
  await Promise.all(Array.from({ length: lanes }, proveOneAfterTheOther))
  return proofs.filter((proof) => proof !== undefined)
}
