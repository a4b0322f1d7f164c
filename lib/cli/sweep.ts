import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { ledgersIn } from '../ledger/read-ledger.ts'
import { createSweep, type Swept } from '../ledger/sweep-ledger.ts'
import { leakedResourceText } from '../reports/report-text.ts'
import { hanging, styleOf } from '../reports/terminal-document.ts'
import { printableSentence } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { systemReason } from '../text/system-reason.ts'
import { type CliContext, UsageError, version, writeOutput } from './context.ts'
import { loadConfiguration } from './prepare-run.ts'
import { creationsOf } from './services.ts'

const labels = {
  deleted: 'removed',
  absent: 'not found',
  notCreated: 'not created',
  kept: 'left',
}

const NAME_FOLDER = 'The ledger of a run is in the folder of its reports: name that with --reports.'

/** Returns the first column and the text of a resource. @param before reason of the resource above */
function resourceRow({ creation, outcome, reason }: Swept, before?: string): [string, string] {
  const suffix = reason === undefined ? '' : `: ${reason === before ? 'as above' : reason}.`
  const resource = outcome === 'kept' ? creation : { ...creation, unconfirmed: undefined }
  return [`  ${labels[outcome].padEnd(12)}  `, leakedResourceText(resource) + suffix]
}

/** Returns what became of the resources, and the hints on those that are not there. */
function conclusion(all: readonly Swept[], hints: readonly string[], kept: number): string[] {
  const count = (name: string) => all.filter(({ outcome }) => outcome === name).length
  // Without a successful deletion, a wrong path looks like resources that are already gone.
  const isDoubtful =
    count('absent') > 0 && count('deleted') === 0 && !all.some((one) => one.unauthorized)
  const counts = Object.entries(labels)
    .map(([outcome, label]) => `${count(outcome)} ${label}`)
    .filter((text) => text !== `0 ${labels.notCreated}`)
  // The status is also 3 if a run may be active or a ledger has unknown lines.
  const keptText = kept === 0 ? '' : ` ${counted(kept, 'ledger is kept', 'ledgers are kept')}.`
  return [...(isDoubtful ? hints : []), `${counts.join(', ')}.${keptText}`]
}

/** Deletes the resources in the ledgers of killed runs at their base URLs, and each ledger without a resource. */
export async function action(
  { envFile, reports }: { envFile?: string; reports: string },
  context: CliContext,
): Promise<number> {
  const { redactor } = context
  if (reports.trim() === '') throw new UsageError('--reports names no directory.')
  const directory = resolve(context.directory, reports)
  let names: string[]
  try {
    names = ledgersIn(directory)
  } catch (error) {
    const problem = `${directory} cannot be read: ${systemReason(error)}.`
    throw new UsageError(`--reports: ${problem} ${NAME_FOLDER}`)
  }
  if (names.length === 0) {
    const text = `There is no ledger in ${reports}. ${NAME_FOLDER}`
    writeOutput(`${printableSentence(text)}\n`, context)
    return 0
  }
  const { target, secrets } = loadConfiguration(context, envFile)
  const sweep = createSweep(creationsOf, target, { version, secrets, redactor })
  const rows: [string, string][] = []
  const all: Swept[] = []
  let kept = 0
  try {
    for (const name of names) {
      const { swept, remarks, isCleared } = await sweep.sweep(join(directory, name))
      const resources = swept.map((one, index) => resourceRow(one, swept[index - 1]?.reason))
      rows.push(['', name], ...resources)
      rows.push(...remarks.map((text): [string, string] => ['  ', text]), ['', ''])
      all.push(...swept)
      if (!isCleared) kept += 1
    }
  } finally {
    await sweep.close()
  }
  for (const text of conclusion(all, sweep.hints(), kept)) rows.push(['', text])
  const style = styleOf(context)
  const lines = rows.flatMap(([first, text]) => hanging(first, printableSentence(text), style))
  writeOutput(redactor.redact(`${lines.join('\n')}\n`), context)
  return kept === 0 ? 0 : 3
}

export const define = (command: Command) =>
  command.option('--reports <directory>', 'reports directory of the killed runs', 'reports')
