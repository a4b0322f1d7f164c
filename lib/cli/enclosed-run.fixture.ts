import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { atTheEnd, temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { SharedThread } from './matrix/shared-thread.ts'
import { run } from './run.ts'

/** What a run left that took place in this process. */
export interface EnclosedOutcome {
  status: number
  report: RunReport
  /** What it told. */
  output: string
  errors: string
  /** Bytes of each report, by the name of the file. */
  sizes: ReadonlyMap<string, number>
}

let thread: SharedThread | undefined

function sharedThread(): SharedThread {
  if (thread !== undefined) return thread
  const started = new SharedThread()
  atTheEnd(() => started.close())
  thread = started
  return started
}

/**
 * Runs the command against a deployment, in this process and quicker than in one of its own. One at a
 * time.
 *
 * @param requirement what to judge; everything by default
 */
export async function enclosedRun(
  environment: Record<string, string>,
  requirement?: string[],
): Promise<EnclosedOutcome> {
  const directory = temporaryDirectory()
  const context = enclosedContext(directory, sharedThread().pool)
  const status = await run({ reports: directory, requirement }, { ...context, environment })
  const names = readdirSync(directory)
  return {
    status,
    report: JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')),
    ...context.told,
    sizes: new Map(names.map((name) => [name, statSync(join(directory, name)).size])),
  }
}

/** Results with a verdict, by the beginning of their reason. */
export function reasonsOf(
  { report }: EnclosedOutcome,
  verdict: RequirementResult['verdict'],
): string[] {
  return report.results.flatMap((result) =>
    result.verdict === verdict ? [result.reason ?? ''] : [],
  )
}

/** Ids of the results with a verdict. */
export function idsWith(
  { report }: EnclosedOutcome,
  verdict: RequirementResult['verdict'],
): string[] {
  return report.results.flatMap((result) =>
    result.verdict === verdict ? [result.requirement] : [],
  )
}
