import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  type Creation,
  noteSwept,
  type ReadLedger,
  readLedger,
  runOfLedger,
  type Sweeper,
  type Sweeping,
  type Swept,
  UnreadableLedgerError,
} from '../conformance/ledger.ts'
import { systemReason } from '../environment/problems.ts'
import { printableSentence } from '../reports/printable.ts'
import { counted, leftBehindText } from '../reports/run-words.ts'
import { hanging, type TerminalStyle, terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, terminalOptions, UsageError, version, writeOutput } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { loadOrExplain } from './prepare-run.ts'
import { catalogues, loadTarget, secretsOf, sweepers } from './services.ts'

const LEFT = 3

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?(\/|$)/

export interface SweepOptions {
  envFile?: string
  reports: string
}

/** What was found in one ledger, and what became of it. */
interface SweptLedger {
  /** File name. */
  name: string
  swept: readonly Swept[]
  /** Why it was kept or deleted, and what to do. */
  notes: readonly string[]
  /** Nothing is left of the run, and the ledger is no more. */
  cleared: boolean
}

const labels = {
  removed: 'removed',
  gone: 'gone already',
  refused: 'not made',
  left: 'left',
} as const

/** What became of a ledger. Things with the same cause stand together, and the cause once below them. */
function ledgerRows({ name, swept, notes }: SweptLedger, style: TerminalStyle): string[] {
  const reasons = [...new Set(swept.map(({ reason }) => reason))]
  const rows = reasons.flatMap((reason) => {
    const those = swept.filter((one) => one.reason === reason)
    const [first] = those
    const cause = `${those.length} ${labels[first?.outcome ?? 'left']}: ${reason}.`
    return [
      ...those.flatMap(({ creation, outcome }) => {
        const shown = outcome === 'left' ? creation : { ...creation, mayExist: undefined }
        const text = printableSentence(leftBehindText(shown))
        return hanging(`  ${labels[outcome].padEnd(12)}  `, text, style)
      }),
      ...(reason === undefined ? [] : hanging('  ', printableSentence(cause), style)),
    ]
  })
  const noteRows = notes.flatMap((note) => hanging('  ', printableSentence(note), style))
  return [printableSentence(name), ...rows, ...noteRows, '']
}

/** What a sweep did, for a person. */
function sweepText(
  ledgers: readonly SweptLedger[],
  doubts: readonly string[],
  style: TerminalStyle,
): string {
  const all = ledgers.flatMap(({ swept }) => swept)
  const count = (wanted: Swept['outcome']) => all.filter(({ outcome }) => outcome === wanted).length
  const counts = (['removed', 'gone', 'refused', 'left'] as const)
    .filter((outcome) => outcome !== 'refused' || count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${labels[outcome]}`)
  // The status is not 0 even where no row says so: a run may be going, or lines be foreign.
  const kept = ledgers.filter(({ cleared }) => !cleared).length
  const keptText = kept === 0 ? '' : ` ${counted(kept, 'ledger is kept', 'ledgers are kept')}.`
  // Nobody can tell a path that is wrong from things that have gone, unless it has deleted one.
  const isDoubtful = count('gone') > 0 && count('removed') === 0
  const doubtful = isDoubtful && !all.some(({ unauthorized }) => unauthorized) ? doubts : []
  const rows = [
    ...ledgers.flatMap((ledger) => ledgerRows(ledger, style)),
    ...doubtful.flatMap((doubt) => hanging('', doubt, style)),
    `${counts.join(', ')}.${keptText}`,
  ]
  return `${rows.join('\n')}\n`
}

/**
 * Names of the ledgers in a directory, the oldest first.
 *
 * @throws UsageError where there is no such directory, or it cannot be read
 */
function ledgersIn(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => runOfLedger(name) !== undefined)
    return names.filter((name) => lstatSync(join(directory, name)).isFile()).sort()
  } catch (error) {
    throw new UsageError(
      `--reports: ${directory} cannot be read: ${systemReason(error)}. ` +
        'Name the directory that the run wrote into.',
    )
  }
}

const foreignText = (count: number) =>
  `${counted(count, 'line names', 'lines name')} something that this run cannot have made. ` +
  'Nothing was done about that, and the ledger is kept: look into it, and delete it by hand.'

/**
 * Takes away what runs that were killed have left on the target, by their ledgers: only what a ledger
 * names, only at the base URL that it names. A ledger of which nothing is left goes too.
 */
export async function sweep(options: SweepOptions, context: CliContext): Promise<number> {
  const { output, redactor } = context
  const { envFile, reports } = options
  if (reports.trim() === '') throw new UsageError('--reports names no directory.')
  const directory = resolve(context.directory, reports)
  const names = ledgersIn(directory)
  if (names.length === 0) {
    output.write(
      `There is no ledger in ${reports}: no run that reported there has left anything behind. ` +
        'Others have theirs where their --reports said.\n',
    )
    return 0
  }
  const { target } = loadOrExplain(loadTarget, context, envFile)
  const secrets = secretsOf(target)
  for (const { name, value } of secrets) redactor.add(name, value)
  const sweeperOf = await sweepers()
  const open = new Map<Sweeper, Sweeping>()

  async function sweptOf(creation: Creation): Promise<Swept> {
    const sweeper = sweeperOf.get(creation.service)
    if (sweeper === undefined) throw new Error(`nothing of ${creation.service} can be taken away`)
    const sweeping = open.get(sweeper) ?? sweeper.open(target, { version, secrets, redactor })
    open.set(sweeper, sweeping)
    return sweeping.sweep(creation)
  }

  async function sweepLedger(name: string): Promise<SweptLedger> {
    const file = join(directory, name)
    const untouched = { name, swept: [], cleared: false }
    let ledger: ReadLedger
    try {
      ledger = readLedger(file, catalogues)
    } catch (error) {
      if (!(error instanceof UnreadableLedgerError)) throw error
      return { ...untouched, notes: [`The ledger ${error.message}.`] }
    }
    const { run, foreign, going, outstanding, embedded } = ledger
    if (going !== undefined) {
      const note = `It is left alone: the run may still be going, since ${going}. Sweep again when it has ended.`
      return { ...untouched, notes: [note] }
    }
    // A deployment of ours ended with its run.
    const hasEnded = embedded && outstanding.every(({ baseUrl }) => LOOPBACK.test(baseUrl))
    const left = hasEnded ? [] : outstanding
    const notes = foreign === 0 ? [] : [foreignText(foreign)]
    const obstacles = [...sweeperOf].map(([name, sweeper]) => {
      const own = left.filter(({ service }) => service === name)
      return own.length === 0 ? undefined : sweeper.obstacle(own, target)
    })
    const isReadOnly = left.length > 0 && target.probe.readOnly
    const readOnly = isReadOnly ? 'PROBE_READ_ONLY is true: nothing was sent.' : undefined
    const obstacle = [...obstacles, readOnly].find((one) => one !== undefined)
    if (obstacle !== undefined) {
      const swept = left.map((creation): Swept => ({ creation, outcome: 'left' }))
      return { ...untouched, swept, notes: [obstacle, ...notes] }
    }
    const swept: Swept[] = []
    for (const creation of left) swept.push(await sweptOf(creation))
    const gone = swept.filter(({ outcome }) => outcome !== 'left')
    if (gone.length === swept.length && foreign === 0) {
      rmSync(file, { force: true })
      const note = 'Nothing is left of this run: the ledger was deleted.'
      return { name, swept, notes: [note], cleared: true }
    }
    for (const { creation } of gone) noteSwept(file, run, creation)
    return { ...untouched, swept, notes }
  }

  const ledgers: SweptLedger[] = []
  try {
    for (const name of names) ledgers.push(await sweepLedger(name))
  } finally {
    for (const sweeping of open.values()) await sweeping.close()
  }
  const doubts = [...open.keys()].map(({ doubt }) => doubt)
  const style = terminalStyle(terminalOptions(context))
  writeOutput(redactor.redact(sweepText(ledgers, doubts, style)), context)
  return ledgers.every(({ cleared }) => cleared) ? 0 : LEFT
}

export function sweepCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'sweep',
    'delete what runs that were killed have left behind, by their ledgers',
    '0 nothing is left, 2 the configuration or the command line is wrong, 3 something is\nleft.',
  )
    .option('--reports <directory>', 'where those runs wrote their reports', 'reports')
    .action((options: SweepOptions) => finish(sweep(options, context)))
}
