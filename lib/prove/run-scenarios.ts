import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variant } from '../reference/index.ts'
import { verdictCountsText } from '../reports/verdict-labels.ts'
import type { RunReport } from '../results/run-report.ts'
import { countVerdicts } from '../results/verdict.ts'
import { mismatches, otherThanPlain, otherwiseAlone, type RunOutcome } from './mismatches.ts'
import { exchangeForms } from './normalize-exchanges.ts'
import type { Scenario } from './scenario.ts'

export interface ScenarioResult {
  subject: Scenario
  /** How the suites did not do what they have to; empty when they did. */
  disagreements: readonly string[]
  /** `102 passed, 0 failed, 12 skipped`; empty where there is no report. */
  counts: string
}

interface Deployment {
  fault?: string
  variant?: Variant | undefined
  service: string[]
  /** Ids of the requirements that are judged; absent: all. */
  requirement?: string[]
}

/** Which failed requirements are judged again, each alone, as the command does that reports print. */
export type JudgedAlone = 'all' | 'sample'

const SAMPLED_SHARE = 10

/** Returns true for one in ten pairs, always the same. */
function isSampled(fault: string, requirement: string): boolean {
  const bytes = createHash('sha256').update(`${fault} ${requirement}`).digest()
  return bytes.readUInt32BE() % SAMPLED_SHARE === 0
}

/** Where deployments are probed, one after the other. */
export interface ScenarioWorker {
  /** Runs the suites against a deployment, with the ledger in the directory. */
  probe(
    deployment: Deployment,
    directory: string,
  ): Promise<RunOutcome & { defects: readonly string[] }>
  close(): Promise<void>
}

type ProbedDeployment = Awaited<ReturnType<ScenarioWorker['probe']>> & {
  forms: ReadonlySet<string>
}

/** Proves one subject after the other. */
export class ScenarioRunner {
  /** Runs of plain deployments: each is made when it is first asked for, and serves all that need the same. */
  readonly #plainRuns = new Map<string, Promise<ProbedDeployment>>()
  readonly #judgedAlone: JudgedAlone

  constructor(judgedAlone: JudgedAlone = 'sample') {
    this.#judgedAlone = judgedAlone
  }

  async prove(subject: Scenario, lane: ScenarioWorker): Promise<ScenarioResult> {
    const { kind, name, variant } = subject
    const service = [...subject.services]
    try {
      const deployment = kind === 'fault' ? { fault: name, service } : { variant, service }
      const outcome = await this.#outcomeOf(deployment, lane)
      const found = [...mismatches(subject, outcome), ...outcome.defects]
      if (kind === 'fault') {
        found.push(...(await this.#otherwiseAlone(name, service, outcome.report, lane)))
      } else {
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

  async #otherwiseAlone(fault: string, service: string[], whole: RunReport, lane: ScenarioWorker) {
    const found: string[] = []
    for (const { requirement: id, verdict } of whole.results) {
      const isAsked = this.#judgedAlone === 'all' || isSampled(fault, id)
      if (verdict !== 'fail' || !isAsked) continue
      const { report } = await this.#outcomeOf({ fault, service, requirement: [id] }, lane)
      found.push(...otherwiseAlone(id, whole, report))
    }
    return found
  }

  async #outcomeOf(deployment: Deployment, lane: ScenarioWorker): Promise<ProbedDeployment> {
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
export function defaultWorkerCount(): number {
  return availableParallelism() + 1
}

/**
 * Proves subjects, several at a time, and begins nothing new when the signal aborts.
 *
 * @returns the proofs in the order of the subjects; those that were not begun are missing
 */
export async function runScenarios(
  subjects: readonly Scenario[],
  options: {
    openWorker: () => ScenarioWorker
    onProof?: (proof: ScenarioResult) => void
    signal?: AbortSignal
    judgedAlone?: JudgedAlone
  },
): Promise<ScenarioResult[]> {
  const { openWorker, onProof, signal, judgedAlone } = options
  const proofs: ScenarioResult[] = []
  const waiting = subjects.entries()
  const prover = new ScenarioRunner(judgedAlone)

  async function proveOneAfterTheOther(): Promise<void> {
    const lane = openWorker()
    for (const [index, subject] of waiting) {
      if (signal?.aborted) break
      const proof = await prover.prove(subject, lane)
      proofs[index] = proof
      onProof?.(proof)
    }
    await lane.close()
  }

  const lanes = Math.min(defaultWorkerCount(), subjects.length)
  await Promise.all(Array.from({ length: lanes }, proveOneAfterTheOther))
  return proofs.filter((proof) => proof !== undefined)
}
