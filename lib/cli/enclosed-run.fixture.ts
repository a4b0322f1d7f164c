import { atTheEnd, type CommandOutcome, outcomeOf, temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext } from './context.fixture.ts'
import { type CliContext, redactorFor } from './context.ts'
import { action as run } from './run.ts'
import type { RunOptions } from './run-options.ts'
import { Suites } from './suite-runner.ts'

/** Creates suites for sequential runs, closed after the tests of the file. */
export function createTestSuites(): Suites {
  const suites = new Suites()
  atTheEnd(() => suites.close())
  return suites
}

/** Suites shared by all test files of a Vitest worker. */
export const sharedSuites = new Suites()

/** Runs a command in this process, which is faster than a new one. */
async function enclosed(
  command: (context: CliContext) => Promise<number>,
  environment: NodeJS.ProcessEnv,
  suites: Suites,
  directory: string,
): Promise<CommandOutcome> {
  const context = createNestedContext(directory, suites)
  const redactor = redactorFor(environment)
  const status = await command({ ...context, environment, redactor })
  return outcomeOf(directory, { status, ...context.reported })
}

/** Calls `run`. Concurrent runs need separate suites. */
export function enclosedRun(
  environment: Record<string, string>,
  options: Partial<RunOptions> = {},
  suites = sharedSuites,
): Promise<CommandOutcome> {
  const all = { reports: 'reports', har: true, ...options }
  return enclosed((context) => run(all, context), environment, suites, temporaryDirectory())
}

export function enclosedCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  directory = temporaryDirectory(),
): Promise<CommandOutcome> {
  const command = (context: CliContext) => runCommandLine(args, context)
  return enclosed(command, environment, sharedSuites, directory)
}
