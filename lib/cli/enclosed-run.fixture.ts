import { atTheEnd, type CommandOutcome, outcomeOf, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext, redactorFor } from './context.ts'
import { type RunOptions, run } from './run.ts'
import { Suites } from './suite-runner.ts'

/** Creates suites for sequential runs, closed after the tests of the file. */
export function createTestSuites(): Suites {
  const suites = new Suites()
  atTheEnd(() => suites.close())
  return suites
}

/** Suites shared by all test files of a Vitest worker. */
export const sharedSuites = new Suites()

/**
 * Runs the command in this process, which is faster than a new one. Concurrent runs need separate suites.
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
