import { type Command, Option } from 'commander'
import type { Requirement } from '../conformance/requirement.ts'
import { catalogues } from './catalogues.ts'
import type { CliContext } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { selectRequirements } from './select-requirements.ts'

interface RequirementsOptions {
  requirement?: string[]
  format: keyof typeof formats
}

function asText(requirements: readonly Requirement[]): string {
  return requirements
    .map(({ id, statement, section, level, judged, tolerances = {}, reason }) =>
      [
        id,
        `  ${statement}`,
        `  document section: ${section}; level: ${level}; judged by: ${judged.join(', ')}`,
        ...Object.values(tolerances).map((tolerance) => `  tolerated: ${tolerance}`),
        ...(reason === undefined ? [] : [`  not tested: ${reason}`]),
      ].join('\n'),
    )
    .join('\n\n')
}

const formats = {
  text: asText,
  json: (requirements: readonly Requirement[]) => JSON.stringify(requirements, undefined, 2),
  // Only this one needs the reference deployment.
  markdown: async (requirements: readonly Requirement[]) =>
    (await import('./requirements-markdown.ts')).requirementsMarkdown(requirements),
}

/** Prints the catalogue. Needs no configuration and sends nothing. */
async function printRequirements(
  options: RequirementsOptions,
  { output }: CliContext,
): Promise<number> {
  const selected = selectRequirements(Object.values(catalogues), options.requirement ?? [])
  output.write(`${await formats[options.format](selected)}\n`)
  return 0
}

export function requirementsCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'requirements',
    'list the statements of the documents and what judges each',
    '0 they were listed, 2 a pattern names nothing or the command line is wrong.',
  )
    .option('--requirement <pattern...>', 'only these: ids, their beginnings, or globs')
    .addOption(
      new Option('--format <format>', 'for people, for programs, or with faults and variants')
        .choices(Object.keys(formats))
        .default('text'),
    )
    .action((options: RequirementsOptions) => finish(printRequirements(options, context)))
}
