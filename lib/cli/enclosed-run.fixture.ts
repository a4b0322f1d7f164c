import { SharedThread } from '../prove/shared-thread.ts'
import { atTheEnd, type CommandOutcome, outcomeOf, temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { type RunOptions, run } from './run.ts'

/** A thread for runs, which ends with the tests. */
export function runThread(): SharedThread {
  const thread = new SharedThread()
  atTheEnd(() => thread.close())
  return thread
}

let shared: SharedThread | undefined

function sharedThread(): SharedThread {
  shared ??= runThread()
  return shared
}

/**
 * Runs the command against a deployment, in this process and quicker than in one of its own. One at a
 * time, unless each has a thread of its own.
 */
export async function enclosedRun(
  environment: Record<string, string>,
  options: Partial<RunOptions> = {},
  thread = sharedThread(),
): Promise<CommandOutcome> {
  const directory = temporaryDirectory()
  const context = enclosedContext(directory, thread.pool)
  const status = await run({ reports: 'reports', ...options }, { ...context, environment })
  return outcomeOf(directory, { status, ...context.reported })
}
