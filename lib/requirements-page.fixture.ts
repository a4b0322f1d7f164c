import { needsOf } from './conformance/catalogue.ts'
import type { Requirement } from './results/requirement.ts'
import { groupBy } from './text/group-by.ts'

interface Scenarios {
  faults: readonly { name: string; requirements: readonly string[] }[]
  variants: readonly {
    name: string
    tolerances?: readonly { requirement: string; name: string }[]
  }[]
}

const introduction = `# Requirements

The requirements of the documents, and the scenarios that test their checks. A fault changes the reference server so
that exactly the requirements that name it fail; a variant uses a tolerance, and nothing fails. A missing need skips
exactly the requirements that declare it. \`plumbline prove\` runs all scenarios.

A test makes this page of the catalogues.`

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

/** Returns the page of all requirements in Markdown. */
export function requirementsPage(requirements: readonly Requirement[], scenarios: Scenarios) {
  const titles = Object.keys(columns)
  const head = `${tableRow(titles)}\n|${' --- |'.repeat(titles.length)}`
  const sections = groupBy(requirements, ({ id }) => id.slice(0, id.lastIndexOf('/')))
  const parts = Array.from(sections, ([section, members]) => {
    const rows = members.map((one) =>
      tableRow(Object.values(columns).map((column) => column(one, scenarios))),
    )
    return `\n\n## ${section}\n${head}${rows.join('')}`
  })
  return `${introduction}${parts.join('')}\n`
}
