import { needsOf } from '../conformance/catalogue.ts'
import type { PlannedCase } from '../conformance/planned-case.ts'
import type { Requirement } from '../results/requirement.ts'
import { groupBy } from '../text/group-by.ts'

interface Scenarios {
  faults: readonly { name: string; requirements: readonly string[] }[]
  variants: readonly {
    name: string
    tolerances?: readonly { requirement: string; name: string }[]
  }[]
}

export function requirementsText(requirements: readonly Requirement[]): string {
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

const cell = (text: string) =>
  text
    .replaceAll(/[\\|*_[\]]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')

const namesOf = (entries: readonly { name: string }[]) =>
  entries.map(({ name }) => `\`${name}\``).join(', ')

const columns: Record<string, (requirement: Requirement, scenarios: Scenarios) => string> = {
  Requirement: ({ id: name }) => namesOf([{ name }]),
  Statement: ({ statement }) => cell(statement),
  'Document section': ({ section }) => cell(section),
  Level: ({ level }) => level,
  Since: ({ since }) => since,
  'Judged by': ({ checkedBy, reason }) =>
    reason === undefined ? checkedBy.join(', ') : `not tested: ${cell(reason)}`,
  Needs: (requirement) => cell(needsOf(requirement).join(', ')),
  Faults: ({ id }, { faults }) =>
    namesOf(faults.filter(({ requirements }) => requirements.includes(id))),
  Tolerances: ({ id, tolerances = {} }, { variants }) =>
    Object.entries(tolerances)
      .map(([name, sentence]) => {
        const testing = variants.filter((variant) =>
          variant.tolerances?.some((used) => used.requirement === id && used.name === name),
        )
        return `${cell(sentence)} (${namesOf(testing)})`
      })
      .join('<br>'),
}

const tableRow = (cells: readonly string[]) => `\n| ${cells.join(' | ')} |`

export function requirementsMarkdown(requirements: readonly Requirement[], scenarios: Scenarios) {
  const titles = Object.keys(columns)
  const head = `${tableRow(titles)}\n|${' --- |'.repeat(titles.length)}`
  const sections = groupBy(requirements, ({ id }) => id.slice(0, id.lastIndexOf('/')))
  const parts = Array.from(sections, ([section, members]) => {
    const rows = members.map((one) =>
      tableRow(Object.values(columns).map((column) => column(one, scenarios))),
    )
    return `\n\n## ${section}\n${head}${rows.join('')}`
  })
  return introduction + parts.join('')
}

export function plannedCasesText(cases: readonly PlannedCase[]): string {
  return cases
    .map(({ case: name, text, statement, requirements, expected, control }) => {
      const judges = requirements.map((id) => id.slice(id.indexOf('/') + 1)).join(', ')
      const parts = { request: text, shows: statement, expected, control, 'judged by': judges }
      const lines = Object.entries(parts).map(([label, part]) => part && `  ${label}: ${part}`)
      return [name, ...lines.filter(Boolean)].join('\n')
    })
    .join('\n')
}
