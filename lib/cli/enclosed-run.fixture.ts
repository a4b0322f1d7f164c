import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { SharedThread } from '../prove/shared-thread.ts'
import { atTheEnd, temporaryDirectory, withVerdict } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { type RunOptions, run } from './run.ts'

/** What a run left that took place in this process. */
export interface EnclosedOutcome {
  status: number
  report: RunReport
  reportText: string
  output: string
  /** The output on one line, as a person reads it across line breaks. */
  text: string
  errors: string
  directory: string
  /** Bytes of each file in the reports directory, by its name. */
  sizes: ReadonlyMap<string, number>
}

async function runIn(
  thread: SharedThread,
  environment: Record<string, string>,
  options: Partial<RunOptions> = {},
): Promise<EnclosedOutcome> {
  const directory = temporaryDirectory()
  const context = enclosedContext(directory, thread.pool)
  const status = await run({ reports: directory, ...options }, { ...context, environment })
  const reportText = readFileSync(join(directory, 'report.json'), 'utf8')
  const names = readdirSync(directory)
  return {
    status,
    report: JSON.parse(reportText),
    reportText,
    ...context.told,
    text: context.told.output.replace(/\s+/g, ' '),
    directory,
    sizes: new Map(names.map((name) => [name, statSync(join(directory, name)).size])),
  }
}

let thread: SharedThread | undefined

/**
 * Runs the command against a deployment, in this process and quicker than in one of its own. One at a
 * time.
 */
export function enclosedRun(
  environment: Record<string, string>,
  options: Partial<RunOptions> = {},
): Promise<EnclosedOutcome> {
  if (thread === undefined) {
    const started = new SharedThread()
    atTheEnd(() => started.close())
    thread = started
  }
  return runIn(thread, environment, options)
}

/** The same with a thread of its own, so that several can take place at a time. */
export async function runInOwnThread(
  environment: Record<string, string>,
): Promise<EnclosedOutcome> {
  const own = new SharedThread()
  try {
    return await runIn(own, environment)
  } finally {
    await own.close()
  }
}

/** Results with a verdict, by the beginning of their reason. */
export function reasonsOf(
  { report }: Pick<EnclosedOutcome, 'report'>,
  verdict: RequirementResult['verdict'],
): string[] {
  return report.results.flatMap((result) =>
    result.verdict === verdict ? [result.reason ?? ''] : [],
  )
}

/** Ids of the results with a verdict. */
export const idsWith = withVerdict

/** Verdicts by the id of the requirement. */
export function verdictsOf({ report }: Pick<EnclosedOutcome, 'report'>): Record<string, string> {
  return Object.fromEntries(
    report.results.map(({ requirement, verdict }) => [requirement, verdict]),
  )
}
