import type { Command } from 'commander'
import { plannedCasesText, requirementsText } from '../reports/requirement-list.ts'
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

async function findCases({ requirement = [], envFile }: RequirementsOptions, context: CliContext) {
  const prepared = await prepareTarget({ envFile }, context)
  await prepared.embedded?.close()
  const chosen = cataloguesOf(prepared.target)
  const selected = selectRequirements(chosen, requirement, context.program)
  const ids = new Set(selected.map(({ id }) => id))
  const all = plannedCasesOf(prepared.target)
  const cases = all.filter(({ requirements }) => requirements.some((id) => ids.has(id)))
  if (cases.length > 0) return cases
  throw new UsageError('No case of a table belongs to the chosen requirements and services.')
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
