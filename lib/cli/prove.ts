import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import type { SubjectPatterns } from './prove-matrix.ts'

/** The registries are large, and other commands start sooner without them. */
async function prove(patterns: SubjectPatterns, context: CliContext): Promise<number> {
  const { proveMatrix } = await import('./prove-matrix.ts')
  return proveMatrix(patterns, context)
}

export function proveCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'prove',
    'run the suites against the reference deployment with each fault, as each variant and without ' +
      'each need: a fault fails exactly the requirements that it breaks, a variant none, and for ' +
      'want of a need exactly those are skipped that declare it',
    '0 all did what they have to, 1 otherwise, 2 the command line is wrong.',
  )
    .option('--fault <name...>', 'only these faults: names or globs')
    .option('--variant <name...>', 'only these variants: names or globs')
    .option(
      '--need <name...>',
      "only without these needs, as 'without other account': names or globs",
    )
    .action((patterns: SubjectPatterns) => finish(prove(patterns, context)))
}
