import { type Command, Option } from 'commander'
import picomatch from 'picomatch'
import { type Catalogue, needsOf, type Requirement } from '../conformance/requirement.ts'
import { didYouMean } from '../environment/nearest.ts'
import { printableSentence } from '../reports/printable.ts'
import type { CliContext } from './context.ts'
import { UsageError } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { catalogues } from './services.ts'

/** Whether a pattern names a requirement: by its id, by the beginning of it, or by a glob. */
export function matcherOf(pattern: string): (id: string) => boolean {
  const matches = picomatch([pattern, `${pattern.replace(/\/$/, '')}/**`])
  return (id) => matches(id)
}

/** Compared with what a pattern may name: services, sections and requirements. */
function nearest(pattern: string, requirements: readonly Requirement[]): string {
  const segments = requirements.map(({ id }) => id.split('/'))
  const names = [1, 2, 3].flatMap((count) =>
    segments.map((parts) => parts.slice(0, count).join('/')),
  )
  return didYouMean(pattern, names)
}

/**
 * The requirements that a pattern names: an id, a service or section of ids, or a glob.
 * Without a pattern, all of them.
 *
 * @throws UsageError for a pattern that names nothing
 */
export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
): Requirement[] {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])
  if (patterns.length === 0) return requirements
  const matchers = patterns.map((pattern) => {
    if (pattern.trim() === '') throw new UsageError('--requirement names nothing.')
    const matches = matcherOf(pattern)
    if (requirements.some(({ id }) => matches(id))) return matches
    throw new UsageError(
      `--requirement ${printableSentence(pattern)} matches no requirement of the chosen services.` +
        `${nearest(pattern, requirements)} "plumbline requirements" lists all of them.`,
    )
  })
  return requirements.filter(({ id }) => matchers.some((matches) => matches(id)))
}

interface RequirementsOptions {
  requirement?: string[]
  format: keyof typeof formats
}

function asText(requirements: readonly Requirement[]): string {
  return requirements
    .map((requirement) => {
      const { id, statement, section, level, judged, tolerances = {}, reason } = requirement
      const needs = needsOf(requirement)
      return [
        id,
        `  ${statement}`,
        `  document section: ${section}; level: ${level}; judged by: ${judged.join(', ')}`,
        ...(needs.length === 0 ? [] : [`  needs: ${needs.join(', ')}`]),
        ...Object.values(tolerances).map((tolerance) => `  tolerated: ${tolerance}`),
        ...(reason === undefined ? [] : [`  not tested: ${reason}`]),
      ].join('\n')
    })
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
  const selected = selectRequirements(catalogues, options.requirement ?? [])
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
