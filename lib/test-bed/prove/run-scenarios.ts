import { availableParallelism } from 'node:os'
import { verdictCountsText } from '../../reports/verdict-labels.ts'
import { countVerdicts } from '../../results/outcome.ts'
import type { RunReport } from '../../results/run-report.ts'
import type { Variant } from '../reference/index.ts'
import {
  exchangeDifference,
  mismatches,
  needMismatches,
  normalizeExchanges,
  rerunMismatches,
} from './mismatches.ts'
import type { Scenario } from './scenario.ts'
import { combine, requirementsOf, sharing } from './sharing.ts'

export interface ScenarioResult {
  scenario: Scenario
  /** Differences from the expected result, one message each. */
  mismatches: readonly string[]
  /** `102 passed, 0 failed, 12 skipped`; empty without a report. */
  counts: string
}

interface ScenarioServer {
  fault?: string | string[]
  variant?: Variant | undefined
  service: string[]
  /** Ids of the judged requirements; undefined for all. */
  requirement?: string[]
}

/**
 * The requirements that a scenario judges: `all`; `own`: those that it is about; `again`: all, and each failed one
 * again by itself, like the rerun command of a report. Only for `again`, no scenarios share a server.
 */
type ScenarioExtent = 'all' | 'again' | 'own'

interface WorkerProbe {
  report: RunReport
  internalErrors: readonly string[]
}

export interface ScenarioWorker {
  /**
   * Runs the suites against a reference server. The report has the exchanges of failures.
   *
   * @param inspect receives a report with all exchanges
   */
  probe(server: ScenarioServer, inspect?: (report: RunReport) => void): Promise<WorkerProbe>
  close(): Promise<void>
}

type Exchanges = ReadonlySet<string>

interface ProbedScenario extends WorkerProbe {
  exchanges: Exchanges
}

interface UnmodifiedRun extends ProbedScenario {
  /** First difference between runs of the same server, which hides variants without effect. */
  instability?: string
}

/** Maximum number of runs of which two must have the same exchanges; a slow machine may change some. */
const MAX_UNMODIFIED_RUNS = 3

export class ScenarioRunner {
  /** Runs against unmodified servers, created on first use and shared by all scenarios with the same key. */
  readonly #unmodifiedRuns = new Map<string, Promise<UnmodifiedRun>>()
  readonly #extent: ScenarioExtent

  constructor(extent: ScenarioExtent = 'all') {
    this.#extent = extent
  }

  /** Runs scenarios that share a server; each half by itself if the result is not what all of them have in common. */
  async runGroup(group: readonly Scenario[], worker: ScenarioWorker): Promise<ScenarioResult[]> {
    const result = await this.run(combine(group), worker)
    if (group.length === 1 || result.mismatches.length === 0) {
      return group.map((scenario) => ({ ...result, scenario }))
    }
    const half = Math.ceil(group.length / 2)
    const first = await this.runGroup(group.slice(0, half), worker)
    return [...first, ...(await this.runGroup(group.slice(half), worker))]
  }

  async run(scenario: Scenario, worker: ScenarioWorker): Promise<ScenarioResult> {
    const { kind, name, variant } = scenario
    const service = [...scenario.services]
    try {
      const change = kind === 'fault' ? { fault: name.split(' + ') } : { variant }
      const own = this.#extent === 'own' && { requirement: requirementsOf(scenario) }
      const server = { ...change, service, ...own }
      const outcome = await this.#probe(server, worker)
      // The requirements of a variant may have no verdict.
      const expected = own && kind === 'variant' ? { ...scenario, verdict: undefined } : scenario
      const found = [...mismatches(expected, outcome.report), ...outcome.internalErrors]
      if (kind !== 'fault' && !own) {
        found.push(...(await this.#compareWithUnmodified(scenario, outcome, worker)))
      }
      if (kind === 'fault' && this.#extent === 'again') {
        found.push(...(await this.#rerunFailures(name, service, outcome.report, worker)))
      }
      const counts = verdictCountsText(countVerdicts(outcome.report.results))
      return { scenario, mismatches: found, counts }
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return { scenario, mismatches: [`the run was aborted: ${message}`], counts: '' }
    }
  }

  /** Reports a scenario that changes no exchange, and verdicts that differ for no declared need. */
  async #compareWithUnmodified(
    scenario: Scenario,
    changed: ProbedScenario,
    worker: ScenarioWorker,
  ) {
    const found: string[] = []
    const { unmodified: variant } = scenario
    const service = [...scenario.services]
    const key = `${variant?.name ?? ''} ${service.join(' ')}`
    const shared = this.#unmodifiedRuns.get(key)
    const unmodified = shared ?? this.#probeUnmodified({ variant, service }, worker)
    this.#unmodifiedRuns.set(key, unmodified)
    const { report, exchanges, instability } = await unmodified
    // The scenario that started the runs reports it for all.
    if (instability !== undefined && shared === undefined) found.push(instability)
    if (exchangeDifference(exchanges, changed.exchanges) === undefined) {
      found.push('the scenario has no effect: no exchange of the run differs')
    }
    return [...found, ...needMismatches(scenario, changed.report, report)]
  }

  async #rerunFailures(fault: string, service: string[], whole: RunReport, worker: ScenarioWorker) {
    const found: string[] = []
    for (const { requirement: id, verdict } of whole.results) {
      if (verdict !== 'fail') continue
      const { report } = await this.#probe({ fault, service, requirement: [id] }, worker)
      found.push(...rerunMismatches(id, whole, report))
    }
    return found
  }

  /** Probes a server without changes until two runs are equal. A variable changes no server, so one run suffices. */
  async #probeUnmodified(server: ScenarioServer, worker: ScenarioWorker): Promise<UnmodifiedRun> {
    const first = await this.#probe(server, worker)
    if (server.variant !== undefined) return first
    const runs = [first]
    while (runs.length < MAX_UNMODIFIED_RUNS) {
      const run = await this.#probe(server, worker)
      const isSame = ({ exchanges }: ProbedScenario) =>
        exchangeDifference(exchanges, run.exchanges) === undefined
      if (runs.some(isSame)) return run
      runs.push(run)
    }
    const [one, other] = runs.map(({ exchanges }) => exchanges) as [Exchanges, Exchanges]
    const difference = exchangeDifference(one, other)
    const consequence = 'so a variant without effect would not be found'
    return {
      ...first,
      instability: `the unmodified server is not deterministic, ${consequence}: ${difference}`,
    }
  }

  async #probe(server: ScenarioServer, worker: ScenarioWorker): Promise<ProbedScenario> {
    let exchanges: Exchanges = new Set()
    // Only whole runs of variants and needs are compared by exchanges.
    const isCompared = server.fault === undefined && server.requirement === undefined
    const inspect = (report: RunReport) => {
      exchanges = normalizeExchanges(report)
    }
    const probed = await worker.probe(server, isCompared ? inspect : undefined)
    return { ...probed, exchanges }
  }
}

/** Returns the number of cores: the servers of all scenarios share a thread beside them. */
export function defaultWorkerCount(): number {
  return availableParallelism()
}

/**
 * Runs scenarios concurrently and starts no further ones after the signal aborts.
 *
 * @returns the results in the order of the scenarios, without the scenarios that were not started
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  options: {
    openWorker: () => ScenarioWorker
    onResult?: (result: ScenarioResult) => void
    signal?: AbortSignal
    extent?: ScenarioExtent
  },
): Promise<ScenarioResult[]> {
  const { openWorker, onResult, signal, extent = 'all' } = options
  const results = new Map<Scenario, ScenarioResult>()
  const groups = extent === 'again' ? scenarios.map((one) => [one]) : sharing(scenarios)
  const queue = groups.values()
  const runner = new ScenarioRunner(extent)

  async function runQueue(): Promise<void> {
    const worker = openWorker()
    for (const group of queue) {
      if (signal?.aborted) break
      for (const result of await runner.runGroup(group, worker)) {
        results.set(result.scenario, result)
        onResult?.(result)
      }
    }
    await worker.close()
  }

  const workerCount = Math.min(defaultWorkerCount(), groups.length)
  await Promise.all(Array.from({ length: workerCount }, runQueue))
  return scenarios.flatMap((scenario) => results.get(scenario) ?? [])
}
