import { needsOf } from '../conformance/catalogue.ts'
import type { PlannedCase } from '../conformance/suite.ts'
import type { Requirement } from '../results/requirement.ts'

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
