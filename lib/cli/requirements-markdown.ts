import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needsOf, type Requirement } from '../conformance/requirement.ts'
import { faults, variants } from '../reference/index.ts'

const beside = fileURLToPath(new URL('../../suites', import.meta.url))
const sources = fileURLToPath(new URL('../../../suites', import.meta.url))

/** As they are written, where that is at hand: a checkout may be compiled too. */
const suites =
  extname(import.meta.url) === '.js' && existsSync(join(sources, 'all.suite.ts')) ? sources : beside

/** A word of the suites and the id that it judges, where `${…}` stands for any part of one. */
const judging = /\b(?:verify|invariant)\(\s*(['`])(?<id>[^'`]+)\1/g

function idPattern(id: string): RegExp {
  const parts = id.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'))
  return new RegExp(`^${parts.join('[a-z-]+')}$`)
}

/** The suites that judge a requirement, as paths below `suites/` by its id. */
function suiteFiles(): (requirement: string) => string[] {
  const files = readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.suite\.[jt]s$/.test(path))
    .toSorted()
    .map((path) => {
      const matches = readFileSync(join(suites, path), 'utf8').matchAll(judging)
      return { path, patterns: [...matches].map(({ groups }) => idPattern(groups?.id ?? '')) }
    })
  return (requirement) =>
    files
      .filter(({ patterns }) => patterns.some((pattern) => pattern.test(requirement)))
      .map(({ path }) => path)
}

const columns = [
  'Requirement',
  'Statement',
  'Document section',
  'Level',
  'Judged by',
  'Needs',
  'Faults',
  'Tolerances',
]

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

function named(entries: readonly { name: string }[]): string {
  return entries.map(({ name }) => code(name)).join(', ')
}

function judgedBy({ judged, id, reason }: Requirement, files: readonly string[]): string {
  if (reason !== undefined) return `not tested: ${cell(reason)}`
  if (files.length === 0) throw new Error(`no suite judges ${id}`)
  const links = files.map((path) => `[${basename(path).split('.')[0]}](${path})`)
  return `${judged.join(', ')}: ${links.join(', ')}`
}

function toleranceCell({ id, tolerances = {} }: Requirement): string {
  return Object.entries(tolerances)
    .map(([name, sentence]) => {
      const trying = variants.filter((variant) => variant.tolerances?.includes(`${id}/${name}`))
      return `${cell(sentence)} (${named(trying)})`
    })
    .join('<br>')
}

function row(requirement: Requirement, files: readonly string[]): string {
  const { id, statement, section, level } = requirement
  const breaking = faults.filter(({ requirements }) => requirements.includes(id))
  const cells = [
    code(id),
    cell(statement),
    cell(section),
    level,
    judgedBy(requirement, files),
    cell(needsOf(requirement).join(', ')),
    named(breaking),
    toleranceCell(requirement),
  ]
  return `| ${cells.join(' | ')} |`
}

function grouped(requirements: readonly Requirement[], depth: number): Map<string, Requirement[]> {
  const groups = new Map<string, Requirement[]>()
  for (const requirement of requirements) {
    const key = requirement.id.split('/')[depth] ?? ''
    groups.set(key, [...(groups.get(key) ?? []), requirement])
  }
  return groups
}

/** The requirements as tables in Markdown, for reading beside the suites; links begin at `suites/`. */
export function requirementsMarkdown(requirements: readonly Requirement[]): string {
  const filesOf = suiteFiles()
  const header = [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`]
  const parts = [...grouped(requirements, 0)].flatMap(([service, ofService]) => [
    `## ${service}`,
    ...[...grouped(ofService, 1)].flatMap(([section, ofSection]) => [
      `### ${section}`,
      [
        ...header,
        ...ofSection.map((requirement) => row(requirement, filesOf(requirement.id))),
      ].join('\n'),
    ]),
  ])
  return [introduction, ...parts].join('\n\n')
}
