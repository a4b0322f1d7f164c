import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNestedContext, UsageError } from '../../cli/context.ts'
import { executeRun } from '../../cli/execute-run.ts'
import { prepareTarget, selectRequirements } from '../../cli/prepare-run.ts'
import { catalogueOf } from '../../cli/services.ts'
import type { Suites } from '../../cli/suite-runner.ts'
import type { ReferenceServer } from '../reference/index.ts'
import type { Instrumented, Mutant } from './instrument.ts'

/** Code whose mutants the test bed must notice. */
export interface MutationTarget extends Instrumented {
  /** Path of the mutated files. */
  folder: string
  /** File with the survivors that have a reason. */
  survivorsFile: string
  openSuites(): TargetSuites
  /** Returns how many runs a mutant took, and their exit status: 0 if it survives, 2 if it prevents the run. */
  judge(mutant: Mutant, suites: TargetSuites): Promise<{ runs: number; status: number }>
}

/** The suites of one worker, and the mutant that is active in them. */
export interface TargetSuites {
  suites: Suites
  activate(mutant?: Mutant): void
}

/** Calls `work` for each item, several at a time; each worker has its own thread for the suites. */
export async function inWorkers<Item>(
  items: readonly Item[],
  openSuites: () => TargetSuites,
  work: (item: Item, suites: TargetSuites) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  async function worker(): Promise<void> {
    const opened = openSuites()
    for (const item of queue) await work(item, opened)
    await opened.suites.close()
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker))
}

/** A mutant may never respond; the unmodified server responds immediately. */
const timeLimits = { PROBE_TIMEOUT_MS: '10000', PROBE_RETRIES: '1' }

interface SuitesRunOptions {
  /** Ids of the judged requirements; empty for all. */
  requirement?: readonly string[]
  /** True to end the run when a requirement fails or is inconclusive. */
  untilDeviation?: boolean
}

/** Runs the suites, and closes the server. Returns undefined if its variables are invalid. */
export async function runSuites(
  server: ReferenceServer,
  suites: Suites,
  { requirement = [], untilDeviation = false }: SuitesRunOptions,
): Promise<Awaited<ReturnType<typeof executeRun>> | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-mutant-'))
  try {
    const environment = { ...server.environment, ...timeLimits }
    const prepared = await prepareTarget({}, { ...createNestedContext(directory), environment })
    let stop = (): void => {}
    const interruption = new Promise<void>((resolve) => {
      stop = resolve
    })
    return await executeRun(prepared, {
      requirements: selectRequirements(prepared.services.map(catalogueOf), requirement),
      directory,
      progress: {
        start() {},
        add({ verdict }) {
          if (untilDeviation && (verdict === 'fail' || verdict === 'inconclusive')) stop()
        },
        finish() {},
      },
      interruption,
      log: () => {},
      suites,
    })
  } catch (error) {
    // A mutant may change the variables that describe the server.
    if (error instanceof UsageError) return undefined
    throw error
  } finally {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
