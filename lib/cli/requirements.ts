import type { Command } from 'commander'
import { needsOf } from '../conformance/catalogue.ts'
import type { PlannedCase } from '../conformance/planned-case.ts'
import type { Requirement } from '../results/requirement.ts'
import { faults, variants } from '../test-bed/reference/index.ts'
import { type CliContext, UsageError } from './context.ts'
import { formatOption } from './options.ts'
import { type PreparationOptions, prepareTarget, selectRequirements } from './prepare-run.ts'
import { catalogueOf, catalogues, plannedCasesOf } from './services.ts'

function toText(requirements: readonly Requirement[]): string {
  return requirements
    .map((requirement) => {
      const { id, statement, section, because, level, since, tolerances = {}, reason } = requirement
      const needs = needsOf(requirement)
      const judged = requirement.checkedBy.join(', ')
      return [
        id,
        `  ${statement}`,
        `  document section: ${section}; level: ${level}; since: ${since}; judged by: ${judged}`,
        ...(because === undefined ? [] : [`  because: ${because}`]),
        ...(needs.length === 0 ? [] : [`  needs: ${needs.join(', ')}`]),
        ...Object.values(tolerances).map((tolerance) => `  tolerated: ${tolerance}`),
        ...(reason === undefined ? [] : [`  not tested: ${reason}`]),
      ].join('\n')
    })
    .join('\n\n')
}

const introduction = `# Requirements

The requirements of the documents, and the scenarios that test their checks. A fault changes the reference server so
that exactly the requirements that name it fail; a variant uses a tolerance, and nothing fails. A missing need skips
exactly the requirements that declare it. \`plumbline prove\` runs all scenarios.

\`plumbline requirements --format markdown\` prints this page.`

function cell(text: string): string {
  return text
    .replaceAll(/[\\|*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}

const code = (name: string) => `\`${name}\``
const joinEntries = (entries: readonly { name: string }[]) =>
  entries.map(({ name }) => code(name)).join(', ')

const columns: Record<string, (requirement: Requirement) => string> = {
  Requirement: ({ id }) => code(id),
  Statement: ({ statement }) => cell(statement),
  'Document section': ({ section }) => cell(section),
  Level: ({ level }) => level,
  Since: ({ since }) => since,
  'Judged by': ({ checkedBy, reason }) =>
    reason === undefined ? checkedBy.join(', ') : `not tested: ${cell(reason)}`,
  Needs: (requirement) => cell(needsOf(requirement).join(', ')),
  Faults: ({ id }) => joinEntries(faults.filter(({ requirements }) => requirements.includes(id))),
  Tolerances: ({ id, tolerances = {} }) =>
    Object.entries(tolerances)
      .map(([name, sentence]) => {
        const testing = variants.filter(({ tolerances }) =>
          tolerances?.some((used) => used.requirement === id && used.name === name),
        )
        return `${cell(sentence)} (${joinEntries(testing)})`
      })
      .join('<br>'),
}

const tableRow = (cells: readonly string[]) => `\n| ${cells.join(' | ')} |`

export function asMarkdown(requirements: readonly Requirement[]): string {
  const titles = Object.keys(columns)
  const head = `${tableRow(titles)}\n|${' --- |'.repeat(titles.length)}`
  const sections = requirements.map(({ id }) => id.slice(0, id.lastIndexOf('/')))
  const rows = requirements.map((requirement, index) => {
    const heading = `\n\n## ${sections[index]}\n${head}`
    const row = tableRow(Object.values(columns).map((column) => column(requirement)))
    return sections[index] === sections[index - 1] ? row : heading + row
  })
  return introduction + rows.join('')
}

const formats = {
  text: toText,
  json: (requirements: readonly Requirement[]) => JSON.stringify(requirements, undefined, 2),
  markdown: asMarkdown,
}

/** Returns the ids without the service and, after the first id of a section, without the section. */
function shortIds(ids: readonly string[]): string {
  const paths = ids.map((id) => id.split('/').slice(1))
  const isRepeated = (index: number) => paths[index]?.[0] === paths[index - 1]?.[0]
  return paths.map((path, index) => path.slice(isRepeated(index) ? 1 : 0).join('/')).join(', ')
}

const caseFormats = {
  text: (cases: readonly PlannedCase[]) =>
    cases
      .map(({ case: name, text, requirements, expected, control }) =>
        [
          name,
          ...(text === undefined ? [] : [`  request: ${text}`]),
          `  judged by: ${shortIds(requirements)}`,
          `  expected: ${expected ?? 'what these requirements say'}`,
          ...(control === undefined ? [] : [`  control: ${control}`]),
        ].join('\n'),
      )
      .join('\n'),
  json: (cases: readonly PlannedCase[]) => JSON.stringify(cases, undefined, 2),
}

interface RequirementsOptions extends Pick<PreparationOptions, 'envFile'> {
  requirement?: string[]
  cases?: boolean
  format: keyof typeof formats
}

/** Returns the cases of a run that the requirements judge. Sends nothing. */
async function findCases(
  { requirement = [], envFile }: RequirementsOptions,
  context: CliContext,
): Promise<PlannedCase[]> {
  const prepared = await prepareTarget({ envFile }, context)
  await prepared.embedded?.close()
  const selected = selectRequirements(
    prepared.services.map(catalogueOf),
    requirement,
    context.program,
  )
  const ids = new Set(selected.map(({ id }) => id))
  const all = plannedCasesOf(prepared.services, prepared.target)
  const cases = all.filter(({ requirements }) => requirements.some((id) => ids.has(id)))
  if (cases.length > 0) return cases
  throw new UsageError('No case of a table belongs to the chosen requirements and services.')
}

export async function action(options: RequirementsOptions, context: CliContext): Promise<number> {
  const { requirement = [], cases, format } = options
  const text = cases
    ? caseFormats[format === 'json' ? format : 'text'](await findCases(options, context))
    : formats[format](selectRequirements(catalogues, requirement, context.program))
  context.output.write(`${text}\n`)
  return 0
}

export const define = (command: Command) =>
  command
    .option('--requirement <pattern...>', 'list only these: ids, sections, names, or globs')
    .option('--cases', 'list the requests of a run instead: case, requirements, what is expected')
    .addOption(
      formatOption('for people, for programs, or with faults and variants', Object.keys(formats)),
    )
