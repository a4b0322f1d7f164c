import { atTheEnd, type CommandOutcome, outcomeOf, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext, redactorFor } from './context.ts'
import { type RunOptions, run } from './run.ts'
import { Suites } from './suite-runner.ts'

/** For runs, one after the other; it ends with the tests of the file. */
export function createTestSuites(): Suites {
  const suites = new Suites()
  atTheEnd(() => suites.close())
  return suites
}

/** Of all files that a worker of Vitest has; it ends with that. */
export const sharedSuites = new Suites()

/**
 * Runs the command against a deployment, in this process and quicker than in one of its own. One at a
 * time, unless each has suites of its own.
 */
export async function enclosedRun(
  environment: Record<string, string>,
  options: Partial<RunOptions> = {},
  suites = sharedSuites,
): Promise<CommandOutcome> {
  const directory = temporaryDirectory()
  const context = createNestedContext(directory, suites)
  const redactor = redactorFor(environment)
  const status = await run(
    { reports: 'reports', ...options },
    { ...context, environment, redactor },
  )
  return outcomeOf(directory, { status, ...context.reported })
}
