import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variant } from '../reference/index.ts'
import { countVerdicts, verdictCountsText } from '../reports/verdict-counts.ts'
import { disagreements, otherThanPlain, type RunOutcome } from './disagreements.ts'
import { exchangeForms } from './exchange-forms.ts'
import type { Subject } from './subject.ts'

export interface Proof {
  subject: Subject
  /** How the suites did not do what they have to; empty when they did. */
  disagreements: readonly string[]
  /** `102 passed, 0 failed, 12 skipped`; empty where there is no report. */
  counts: string
}

interface Deployment {
  fault?: string
  variant?: Variant | undefined
  service: string[]
}

/** Where deployments are probed, one after the other. */
export interface Lane {
  /** Runs the suites against a deployment, with the ledger in the directory. */
  probe(
    deployment: Deployment,
    directory: string,
  ): Promise<RunOutcome & { defects: readonly string[] }>
  close(): Promise<void>
}

type ProbedDeployment = Awaited<ReturnType<Lane['probe']>> & { forms: ReadonlySet<string> }

/** Proves one subject after the other. */
export class Prover {
  /** Runs of plain deployments: each is made when it is first asked for, and serves all that need the same. */
  readonly #plainRuns = new Map<string, Promise<ProbedDeployment>>()

  async prove(subject: Subject, lane: Lane): Promise<Proof> {
    const { kind, name, variant } = subject
    const service = [...subject.services]
    try {
      const deployment = kind === 'fault' ? { fault: name, service } : { variant, service }
      const outcome = await this.#outcomeOf(deployment, lane)
      const found = [...disagreements(subject, outcome), ...outcome.defects]
      if (kind !== 'fault') {
        const key = `${subject.plain?.name ?? ''} ${service.join(' ')}`
        const plain =
          this.#plainRuns.get(key) ?? this.#outcomeOf({ variant: subject.plain, service }, lane)
        this.#plainRuns.set(key, plain)
        const { report, forms } = await plain
        const isUnchanged =
          forms.size === outcome.forms.size && [...forms].every((form) => outcome.forms.has(form))
        if (isUnchanged) found.push('it changes no exchange of a run: it proves nothing')
        found.push(...otherThanPlain(subject, outcome.report, report))
      }
      const counts = verdictCountsText(countVerdicts(outcome.report.results))
      return { subject, disagreements: found, counts }
    } catch (error) {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return { subject, disagreements: [`the run came to no end: ${words}`], counts: '' }
    }
  }

  async #outcomeOf(deployment: Deployment, lane: Lane): Promise<ProbedDeployment> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
    try {
      const probed = await lane.probe(deployment, directory)
      // A fault is told by what fails.
      const forms =
        deployment.fault === undefined ? exchangeForms(probed.report) : new Set<string>()
      return { ...probed, forms }
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

/** One more than there are cores, since each waits now and then. */
export function usualThreads(): number {
  return availableParallelism() + 1
}

/**
 * Proves subjects, several at a time, and begins nothing new when the signal aborts.
 *
 * @returns the proofs in the order of the subjects; those that were not begun are missing
 */
export async function proveSideBySide(
  subjects: readonly Subject[],
  options: { openLane: () => Lane; onProof?: (proof: Proof) => void; signal?: AbortSignal },
): Promise<Proof[]> {
  const { openLane, onProof, signal } = options
  const proofs: Proof[] = []
  const waiting = subjects.entries()
  const prover = new Prover()

  async function proveOneAfterTheOther(): Promise<void> {
    const lane = openLane()
    for (const [index, subject] of waiting) {
      if (signal?.aborted) break
      const proof = await prover.prove(subject, lane)
      proofs[index] = proof
      onProof?.(proof)
    }
    await lane.close()
  }

  const lanes = Math.min(usualThreads(), subjects.length)
  await Promise.all(Array.from({ length: lanes }, proveOneAfterTheOther))
  return proofs.filter((proof) => proof !== undefined)
}
