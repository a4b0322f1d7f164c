import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Target } from '../environment/target.ts'
import { appendLine, type CreatedResource } from '../ledger/ledger.ts'
import {
  existingResources,
  ledgerRunId,
  readLedger,
  UnreadableLedgerError,
} from '../ledger/read-ledger.ts'
import type { Sweeper, Sweeping, Swept } from '../ledger/sweeper.ts'
import { leakedResourceText } from '../reports/report-text.ts'
import { hanging, terminalStyle } from '../reports/terminal-style.ts'
import { printableSentence } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { systemReason } from '../text/system-reason.ts'
import { type CliContext, terminalOptions, UsageError, version, writeOutput } from './context.ts'
import { addSecrets, loadConfiguration } from './prepare-run.ts'
import { creationsOf, loadTarget } from './services.ts'

const labels = {
  deleted: 'removed',
  absent: 'not found',
  notCreated: 'not created',
  kept: 'left',
}

/** Returns ledger names, oldest first. @throws UsageError if the directory cannot be read */
function findLedgers(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => ledgerRunId(name) !== undefined)
    return names.filter((name) => lstatSync(join(directory, name)).isFile()).sort()
  } catch (error) {
    throw new UsageError(
      `--reports: ${directory} cannot be read: ${systemReason(error)}. ${NAME_FOLDER}`,
    )
  }
}

const NAME_FOLDER = 'The ledger of a run is in the folder of its reports: name that with --reports.'

/** Returns the reason why resources cannot be deleted; undefined if they can. */
function findBlocker(
  resources: readonly CreatedResource[],
  sweeperOf: ReadonlyMap<string, Sweeper>,
  target: Target,
): string | undefined {
  for (const [service, sweeper] of sweeperOf) {
    const own = resources.filter((creation) => creation.service === service)
    const blocker = own.length === 0 ? undefined : sweeper.blocker(own, target)
    if (blocker !== undefined) return blocker
  }
  const isReadOnly = resources.length > 0 && target.probe.readOnly
  return isReadOnly ? 'PROBE_READ_ONLY is true: nothing was sent.' : undefined
}

interface LedgerContext {
  target: Target
  sweeperOf: ReadonlyMap<string, Sweeper>
  sweepResource: (creation: CreatedResource) => Promise<Swept>
  add: (first: string, text: string) => void
}

/** Sweeps the resources of a ledger, and deletes it if no resource of its run is left. */
async function sweepLedger(
  file: string,
  { target, sweeperOf, sweepResource, add }: LedgerContext,
): Promise<{ swept: readonly Swept[]; isCleared: boolean }> {
  const remark = (text: string) => add('  ', text)
  const ledger = readLedger(file, creationsOf)
  const { run, unknownLines, activeReason } = ledger
  if (activeReason !== undefined) {
    const hint = 'Run sweep again when it has ended.'
    remark(`Skipped: the run may still be active (${activeReason}). ${hint}`)
    return { swept: [], isCleared: false }
  }
  const remaining = existingResources(ledger)
  const blocker = findBlocker(remaining, sweeperOf, target)
  const swept: Swept[] = []
  for (const creation of remaining) {
    const one: Swept =
      blocker === undefined ? await sweepResource(creation) : { creation, outcome: 'kept' }
    const { outcome, reason } = one
    const isSame = reason === swept.at(-1)?.reason
    const suffix = reason === undefined ? '' : `: ${isSame ? 'as above' : reason}.`
    const resource = outcome === 'kept' ? creation : { ...creation, unconfirmed: undefined }
    add(`  ${labels[outcome].padEnd(12)}  `, leakedResourceText(resource) + suffix)
    swept.push(one)
  }
  if (blocker !== undefined) remark(blocker)
  const cleared = swept.filter(({ outcome }) => outcome !== 'kept')
  const isCleared = cleared.length === swept.length && unknownLines === 0
  if (isCleared) {
    rmSync(file, { force: true })
    remark('No resource of this run is left: the ledger was deleted.')
    return { swept, isCleared }
  }
  for (const { creation } of cleared) appendLine(file, run, 'swept', creation)
  if (unknownLines > 0) {
    remark(
      `${counted(unknownLines, 'line names', 'lines name')} a resource that this run cannot have created. ` +
        'These were skipped, and the ledger is kept: check it, and delete it manually.',
    )
  }
  return { swept, isCleared }
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
  options: { envFile?: string; reports: string },
  context: CliContext,
): Promise<number> {
  const { output, redactor } = context
  const { envFile, reports } = options
  if (reports.trim() === '') throw new UsageError('--reports names no directory.')
  const directory = resolve(context.directory, reports)
  const names = findLedgers(directory)
  if (names.length === 0) {
    output.write(`${printableSentence(`There is no ledger in ${reports}. ${NAME_FOLDER}`)}\n`)
    return 0
  }
  const { target } = loadConfiguration(loadTarget, context, envFile)
  const secrets = addSecrets(target, redactor)
  const sweeperOf = new Map<string, Sweeper>()
  for (const [service, { sweeper }] of creationsOf) sweeperOf.set(service, await sweeper())
  const open = new Map<Sweeper, Sweeping>()
  const style = terminalStyle(terminalOptions(context))
  const rows: string[] = []
  const add = (first: string, text: string) =>
    void rows.push(...hanging(first, printableSentence(text), style))
  const all: Swept[] = []
  const sweepResource = async (creation: CreatedResource): Promise<Swept> => {
    // A ledger has resources of these services only.
    const sweeper = sweeperOf.get(creation.service) as Sweeper
    const sweeping = open.get(sweeper) ?? sweeper.open(target, { version, secrets, redactor })
    open.set(sweeper, sweeping)
    return sweeping.sweep(creation)
  }
  let kept = 0
  try {
    for (const name of names) {
      add('', name)
      const ledgerContext = { target, sweeperOf, sweepResource, add }
      const file = join(directory, name)
      const { swept, isCleared } = await sweepLedger(file, ledgerContext).catch((error) => {
        if (!(error instanceof UnreadableLedgerError)) throw error
        add('  ', `The ledger ${error.message}.`)
        return { swept: [], isCleared: false }
      })
      all.push(...swept)
      if (!isCleared) kept += 1
      rows.push('')
    }
  } finally {
    for (const sweeping of open.values()) await sweeping.close()
  }
  const hints = [...open.keys()].map(({ hint }) => hint)
  for (const text of conclusion(all, hints, kept)) add('', text)
  writeOutput(redactor.redact(`${rows.join('\n')}\n`), context)
  return kept === 0 ? 0 : 3
}

export const define = (command: Command) =>
  command.option('--reports <directory>', 'reports directory of the killed runs', 'reports')
