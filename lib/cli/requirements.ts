import type { Command } from 'commander'
import { needsOf } from '../conformance/catalogue.ts'
import type { PlannedCase } from '../conformance/suite.ts'
import type { Requirement } from '../results/requirement.ts'
import { type CliContext, UsageError } from './context.ts'
import { formatOption } from './options.ts'
import { type PreparationOptions, prepareTarget } from './prepare-run.ts'
import { selectRequirements } from './select.ts'
import { catalogues, cataloguesOf, plannedCasesOf } from './services.ts'

interface RequirementsOptions extends Pick<PreparationOptions, 'envFile'> {
  requirement?: string[]
  cases?: boolean
  format: 'text' | 'json'
}

function requirementsText(requirements: readonly Requirement[]): string {
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

function plannedCasesText(cases: readonly PlannedCase[]): string {
  return cases
    .map(({ case: name, text, statement, requirements, expected, control }) => {
      const judges = requirements.map((id) => id.slice(id.indexOf('/') + 1)).join(', ')
      const parts = { request: text, shows: statement, expected, control, 'judged by': judges }
      const lines = Object.entries(parts).map(([label, part]) => part && `  ${label}: ${part}`)
      return [name, ...lines.filter(Boolean)].join('\n')
    })
    .join('\n')
}

async function findCases({ requirement = [], envFile }: RequirementsOptions, context: CliContext) {
  const prepared = await prepareTarget({ envFile }, context)
  await prepared.embedded?.close()
  const chosen = cataloguesOf(prepared.target)
  const selected = selectRequirements(chosen, requirement, context.program)
  const ids = new Set(selected.map(({ id }) => id))
  const all = plannedCasesOf(prepared.target)
  const cases = all.filter(({ requirements }) => requirements.some((id) => ids.has(id)))
  if (cases.length > 0) return cases
  throw new UsageError(
    'The chosen requirements have no cases: their checks send their requests in steps, or judge responses to the requests of others.',
  )
}

export async function action(options: RequirementsOptions, context: CliContext): Promise<number> {
  const { requirement = [], format } = options
  const cases = options.cases ? await findCases(options, context) : undefined
  const selected = selectRequirements(catalogues, requirement, context.program)
  const text = cases ? plannedCasesText(cases) : requirementsText(selected)
  const json = JSON.stringify(cases ?? selected, undefined, 2)
  context.output.write(`${format === 'json' ? json : text}\n`)
  return 0
}

export const define = (command: Command) =>
  command
    .option('--requirement <pattern...>', 'list only these: ids, sections, names, or globs')
    .option('--cases', 'list the requests of a run instead: case, requirements, what is expected')
    .addOption(formatOption('for people or for programs', ['text', 'json']))
