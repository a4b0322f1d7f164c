import type { Command } from 'commander'
import {
  plannedCasesText,
  requirementsMarkdown,
  requirementsText,
} from '../reports/requirement-list.ts'
import { faults, variants } from '../test-bed/reference/index.ts'
import { type CliContext, UsageError } from './context.ts'
import { formatOption } from './options.ts'
import { type PreparationOptions, prepareTarget } from './prepare-run.ts'
import { selectRequirements } from './select.ts'
import { catalogueOf, catalogues, plannedCasesOf } from './services.ts'

interface RequirementsOptions extends Pick<PreparationOptions, 'envFile'> {
  requirement?: string[]
  cases?: boolean
  format: 'text' | 'json' | 'markdown'
}

async function findCases({ requirement = [], envFile }: RequirementsOptions, context: CliContext) {
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
  const toJson = (value: unknown) => JSON.stringify(value, undefined, 2)
  let text: string
  if (cases) {
    const found = await findCases(options, context)
    text = format === 'json' ? toJson(found) : plannedCasesText(found)
  } else {
    const selected = selectRequirements(catalogues, requirement, context.program)
    const formats = {
      text: () => requirementsText(selected),
      json: () => toJson(selected),
      markdown: () => requirementsMarkdown(selected, { faults, variants }),
    }
    text = formats[format]()
  }
  context.output.write(`${text}\n`)
  return 0
}

export const define = (command: Command) =>
  command
    .option('--requirement <pattern...>', 'list only these: ids, sections, names, or globs')
    .option('--cases', 'list the requests of a run instead: case, requirements, what is expected')
    .addOption(
      formatOption('for people, for programs, or with faults and variants', [
        ...['text', 'json', 'markdown'],
      ]),
    )
