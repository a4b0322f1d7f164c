import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Creation } from '../conformance/ledger.ts'
import type { Sweeper, Sweeping, Swept } from '../conformance/sweeper.ts'
import { systemReason } from '../environment/errors.ts'
import { counted, leftBehindText } from '../reports/format.ts'
import { printableSentence } from '../reports/printable.ts'
import { hanging, terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, terminalOptions, UsageError, version, writeOutput } from './context.ts'
import { loadConfiguration } from './prepare-run.ts'
import { ledgerRunId, readLedger, recordSwept, UnreadableLedgerError } from './read-ledger.ts'
import { catalogues, loadTarget, secretsOf, sweepers } from './services.ts'

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?(\/|$)/

const labels = { removed: 'removed', gone: 'gone already', refused: 'not made', left: 'left' }

/** The oldest first. @throws UsageError where the directory cannot be read */
function findLedgers(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => ledgerRunId(name) !== undefined)
    return names.filter((name) => lstatSync(join(directory, name)).isFile()).sort()
  } catch (error) {
    throw new UsageError(
      `--reports: ${directory} cannot be read: ${systemReason(error)}. ` +
        'Name the directory that the run wrote into.',
    )
  }
}

/**
 * Takes away what runs that were killed have left on the target, by their ledgers: only what a ledger
 * names, only at the base URL that it names. A ledger of which nothing is left goes too.
 */
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
    const hint = 'Others have theirs where their --reports said.'
    output.write(`There is no ledger in ${reports}: nothing was left by runs there. ${hint}\n`)
    return 0
  }
  const { target } = loadConfiguration(loadTarget, context, envFile)
  const secrets = secretsOf(target)
  for (const { name, value } of secrets) redactor.add(name, value)
  const sweeperOf = await sweepers()
  const open = new Map<Sweeper, Sweeping>()
  const style = terminalStyle(terminalOptions(context))
  const rows: string[] = []
  const add = (first: string, text: string) => {
    rows.push(...hanging(first, printableSentence(text), style))
  }
  const remark = (text: string) => add('  ', text)
  const all: Swept[] = []

  async function sweptOf(creation: Creation): Promise<Swept> {
    const sweeper = sweeperOf.get(creation.service)
    if (sweeper === undefined) throw new Error(`nothing of ${creation.service} can be taken away`)
    const sweeping = open.get(sweeper) ?? sweeper.open(target, { version, secrets, redactor })
    open.set(sweeper, sweeping)
    return sweeping.sweep(creation)
  }

  /** @returns whether nothing is left of the run, and the ledger is no more */
  async function sweepLedger(name: string): Promise<boolean> {
    const file = join(directory, name)
    const { run, foreignLines, activeReason, outstanding, embedded } = readLedger(file, catalogues)
    if (activeReason !== undefined) {
      const hint = 'Sweep again when it has ended.'
      remark(`It is left alone: the run may still be going, since ${activeReason}. ${hint}`)
      return false
    }
    // A deployment of ours ended with its run.
    const hasEnded = embedded && outstanding.every(({ baseUrl }) => LOOPBACK.test(baseUrl))
    const left = hasEnded ? [] : outstanding
    const obstacles = [...sweeperOf].map(([service, sweeper]) => {
      const own = left.filter((creation) => creation.service === service)
      return own.length === 0 ? undefined : sweeper.obstacle(own, target)
    })
    if (left.length > 0 && target.probe.readOnly) {
      obstacles.push('PROBE_READ_ONLY is true: nothing was sent.')
    }
    const obstacle = obstacles.find((one) => one !== undefined)
    const swept: Swept[] = []
    for (const creation of left) {
      const one: Swept =
        obstacle === undefined ? await sweptOf(creation) : { creation, outcome: 'left' }
      const { outcome, reason } = one
      const isSame = reason === swept.at(-1)?.reason
      const why = reason === undefined ? '' : `: ${isSame ? 'as above' : reason}.`
      const shown = outcome === 'left' ? creation : { ...creation, mayExist: undefined }
      add(`  ${labels[outcome].padEnd(12)}  `, leftBehindText(shown) + why)
      swept.push(one)
    }
    all.push(...swept)
    if (obstacle !== undefined) remark(obstacle)
    const gone = swept.filter(({ outcome }) => outcome !== 'left')
    if (gone.length === swept.length && foreignLines === 0) {
      rmSync(file, { force: true })
      remark('Nothing is left of this run: the ledger was deleted.')
      return true
    }
    for (const { creation } of gone) recordSwept(file, run, creation)
    if (foreignLines > 0) {
      remark(
        `${counted(foreignLines, 'line names', 'lines name')} something that this run cannot have made. ` +
          'Nothing was done about that, and the ledger is kept: look into it, and delete it by hand.',
      )
    }
    return false
  }

  let kept = 0
  try {
    for (const name of names) {
      add('', name)
      try {
        if (!(await sweepLedger(name))) kept += 1
      } catch (error) {
        if (!(error instanceof UnreadableLedgerError)) throw error
        remark(`The ledger ${error.message}.`)
        kept += 1
      }
      rows.push('')
    }
  } finally {
    for (const sweeping of open.values()) await sweeping.close()
  }
  const count = (wanted: Swept['outcome']) => all.filter(({ outcome }) => outcome === wanted).length
  // Nobody can tell a path that is wrong from things that have gone, unless it has deleted one.
  if (count('gone') > 0 && count('removed') === 0 && !all.some((one) => one.unauthorized)) {
    for (const { doubt } of open.keys()) add('', doubt)
  }
  const counts = Object.entries(labels)
    .map(([outcome, label]) => `${count(outcome as Swept['outcome'])} ${label}`)
    .filter((text) => text !== `0 ${labels.refused}`)
  // The status is not 0 even where no row says so: a run may be going, or lines be foreign.
  const keptText = kept === 0 ? '' : ` ${counted(kept, 'ledger is kept', 'ledgers are kept')}.`
  add('', `${counts.join(', ')}.${keptText}`)
  writeOutput(redactor.redact(`${rows.join('\n')}\n`), context)
  return kept === 0 ? 0 : 3
}

export const define = (command: Command) =>
  command.option('--reports <directory>', 'where those runs wrote their reports', 'reports')
