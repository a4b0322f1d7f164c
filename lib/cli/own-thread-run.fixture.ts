import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { enclosedContext } from './context.ts'
import { SharedThread } from './matrix/shared-thread.ts'
import { run } from './run.ts'

/** What a run in this process left. */
export interface OwnThreadRun {
  status: number
  report: RunReport
  output: string
  errors: string
  /** Names in its reports directory. */
  files: string[]
}

/** A run in this process with a thread of its own, so that several can take place at a time. */
export async function runInOwnThread(environment: Record<string, string>): Promise<OwnThreadRun> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const thread = new SharedThread()
  const context = enclosedContext(directory, thread.pool)
  try {
    const status = await run({ reports: directory }, { ...context, environment })
    return {
      status,
      report: JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')),
      ...context.told,
      files: readdirSync(directory),
    }
  } finally {
    await thread.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Verdicts by the id of the requirement. */
export function verdictsOf({ report }: OwnThreadRun): Record<string, string> {
  return Object.fromEntries(
    report.results.map(({ requirement, verdict }) => [requirement, verdict]),
  )
}
