import { Command, Option } from 'commander'
import type { Requirement } from '../conformance/requirement.ts'
import { catalogues } from './catalogues.ts'
import { envFileOption } from './options.ts'
import { selectRequirements } from './select-requirements.ts'

interface RequirementsOptions {
  requirement?: string[]
  format: keyof typeof formats
}

function asText(requirements: readonly Requirement[]): string {
  return requirements
    .map(({ id, statement, section, level, judged, needs = [], tolerances = {}, reason }) =>
      [
        id,
        `  ${statement}`,
        `  document section: ${section}; level: ${level}; judged by: ${judged.join(', ')}`,
        ...(needs.length === 0 ? [] : [`  needs: ${needs.join(', ')}`]),
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
async function printRequirements(options: RequirementsOptions): Promise<number> {
  const selected = selectRequirements(Object.values(catalogues), options.requirement ?? [], {
    among: '',
    list: 'Without --requirement, all of them are listed.',
  })
  process.stdout.write(`${await formats[options.format](selected)}\n`)
  return 0
}

export function requirementsCommand(finish: (status: Promise<number>) => Promise<void>): Command {
  return new Command('requirements')
    .description('list the statements of the documents and what judges each')
    .option('--requirement <pattern...>', 'only these: ids, their beginnings, or globs')
    .addOption(
      new Option('--format <format>', 'for people, for programs, or with faults and variants')
        .choices(Object.keys(formats))
        .default('text'),
    )
    .addOption(envFileOption())
    .addHelpText(
      'after',
      '\nExit status: 0 they were listed, 2 a pattern names nothing or the command line is wrong.',
    )
    .action((options: RequirementsOptions) => finish(printRequirements(options)))
}
