import type { Command } from 'commander'
import { needsOf, type Requirement } from '../conformance/requirement.ts'
import { faults, variants } from '../reference/index.ts'
import type { CliContext } from './context.ts'
import { formatOption } from './options.ts'
import { selectRequirements } from './prepare-run.ts'
import { catalogues } from './services.ts'

function toText(requirements: readonly Requirement[]): string {
  return requirements
    .map((requirement) => {
      const { id, statement, section, level, since, tolerances = {}, reason } = requirement
      const needs = needsOf(requirement)
      const judged = requirement.checkedBy.join(', ')
      return [
        id,
        `  ${statement}`,
        `  document section: ${section}; level: ${level}; since: ${since}; judged by: ${judged}`,
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

interface RequirementsOptions {
  requirement?: string[]
  format: keyof typeof formats
}

export function action(
  { requirement = [], format }: RequirementsOptions,
  { output, program }: CliContext,
): number {
  output.write(`${formats[format](selectRequirements(catalogues, requirement, program))}\n`)
  return 0
}

export const define = (command: Command) =>
  command
    .option('--requirement <pattern...>', 'list only these: ids, sections, names, or globs')
    .addOption(
      formatOption('for people, for programs, or with faults and variants', Object.keys(formats)),
    )
