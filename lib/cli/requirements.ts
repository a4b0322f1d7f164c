import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { needsOf, type Requirement } from '../conformance/requirement.ts'
import { faults, variants } from '../reference/index.ts'
import type { CliContext } from './context.ts'
import { type Finish, formatOption, newCommand } from './options.ts'
import { selectRequirements } from './prepare-run.ts'
import { catalogues } from './services.ts'

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

/** A word of the suites and the id that it judges, where `${…}` stands for any part of one. */
const judging = /\b(?:verify|invariant)\(\s*(['`])(?<id>[^'`]+)\1/g

function idPattern(id: string): RegExp {
  const parts = id.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'))
  return new RegExp(`^${parts.join('[a-z-]+')}$`)
}

/** The suites with the ids that they judge, as paths below `suites/`. */
function suiteFiles(): { path: string; patterns: RegExp[] }[] {
  // What was compiled is a folder further down than the suites as they are written.
  const folders = ['../../suites', '../../../suites'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const suites = folders.find((folder) => existsSync(join(folder, 'all.suite.ts'))) ?? ''
  return readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.suite.ts'))
    .toSorted()
    .map((path) => {
      const matches = readFileSync(join(suites, path), 'utf8').matchAll(judging)
      return { path, patterns: [...matches].map(({ groups }) => idPattern(groups?.id ?? '')) }
    })
}

const introduction = `# Requirements

What the documents state, statement by statement, and what shows that Plumbline judges it. Each fault is a
reference deployment in which exactly the requirements fail that name it; each variant is one that
makes use of the tolerance and in which nothing fails. What a requirement needs and is not there skips it, and
nothing else. \`plumbline prove\` shows all of that.

\`plumbline requirements --format markdown\` prints this page.`

function cell(text: string): string {
  return text
    .replaceAll(/[\\|*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}

const code = (name: string) => `\`${name}\``
const named = (entries: readonly { name: string }[]) =>
  entries.map(({ name }) => code(name)).join(', ')

function judgedBy(
  { judged, id, reason }: Requirement,
  suites: ReturnType<typeof suiteFiles>,
): string {
  if (reason !== undefined) return `not tested: ${cell(reason)}`
  const own = suites.filter(({ patterns }) => patterns.some((pattern) => pattern.test(id)))
  if (own.length === 0) throw new Error(`no suite judges ${id}`)
  const links = own.map(({ path }) => `[${basename(path).split('.')[0]}](${path})`)
  return `${judged.join(', ')}: ${links.join(', ')}`
}

type Column = (requirement: Requirement, suites: ReturnType<typeof suiteFiles>) => string

const columns: Record<string, Column> = {
  Requirement: ({ id }) => code(id),
  Statement: ({ statement }) => cell(statement),
  'Document section': ({ section }) => cell(section),
  Level: ({ level }) => level,
  'Judged by': judgedBy,
  Needs: (requirement) => cell(needsOf(requirement).join(', ')),
  Faults: ({ id }) => named(faults.filter(({ requirements }) => requirements.includes(id))),
  Tolerances: ({ id, tolerances = {} }) =>
    Object.entries(tolerances)
      .map(([name, sentence]) => {
        const trying = variants.filter((variant) => variant.tolerances?.includes(`${id}/${name}`))
        return `${cell(sentence)} (${named(trying)})`
      })
      .join('<br>'),
}

const tableRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** The requirements as tables in Markdown, for reading beside the suites; links begin at `suites/`. */
export function asMarkdown(requirements: readonly Requirement[]): string {
  const suites = suiteFiles()
  const titles = Object.keys(columns)
  const header = `${tableRow(titles)}\n|${' --- |'.repeat(titles.length)}`
  const parts = [introduction]
  let before: (string | undefined)[] = []
  for (const requirement of requirements) {
    const [service, section] = requirement.id.split('/')
    if (service !== before[0]) parts.push(`\n\n## ${service}`)
    if (service !== before[0] || section !== before[1])
      parts.push(`\n\n### ${section}\n\n${header}`)
    const cells = Object.values(columns).map((column) => column(requirement, suites))
    parts.push(`\n${tableRow(cells)}`)
    before = [service, section]
  }
  return parts.join('')
}

const formats = {
  text: asText,
  json: (requirements: readonly Requirement[]) => JSON.stringify(requirements, undefined, 2),
  markdown: asMarkdown,
}

interface RequirementsOptions {
  requirement?: string[]
  format: keyof typeof formats
}

/** Prints the catalogue. Needs no configuration and sends nothing. */
async function printRequirements(
  { requirement = [], format }: RequirementsOptions,
  { output }: CliContext,
): Promise<number> {
  output.write(`${formats[format](selectRequirements(catalogues, requirement))}\n`)
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
      formatOption('for people, for programs, or with faults and variants', Object.keys(formats)),
    )
    .action((options: RequirementsOptions) => finish(printRequirements(options, context)))
}
