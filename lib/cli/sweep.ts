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
import { leftBehindText } from '../reports/list-words.ts'
import { printableSentence } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { hanging, type TerminalStyle, terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, UsageError, version } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { terminalOptions, writeOutput } from './output.ts'
import { loadTargetOrExplain } from './prepare-run.ts'
import { catalogues, secretsOf, sweepers } from './services.ts'

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
  /** Why nothing was sent for it, and what to do; absent when it was swept. */
  untouched?: string
  swept: readonly Swept[]
  /** Lines that name what no run of this name makes. */
  foreign: number
  /** Nothing is left of the run, and the ledger is no more. */
  cleared: boolean
}

const labels = {
  removed: 'removed',
  gone: 'gone already',
  refused: 'not made',
  left: 'left',
} as const

/** Things with the same cause stand together, and the cause once below them. */
function sweptRows(swept: readonly Swept[], style: TerminalStyle): string[] {
  const groups = new Map<string | undefined, Swept[]>()
  for (const one of swept) groups.set(one.reason, [...(groups.get(one.reason) ?? []), one])
  return [...groups].flatMap(([reason, those]) => {
    const rows = those.flatMap(({ creation, outcome }) => {
      const shown = outcome === 'left' ? creation : { ...creation, mayExist: undefined }
      const text = printableSentence(leftBehindText(shown))
      return hanging(`  ${labels[outcome].padEnd(12)}  `, text, style)
    })
    const cause = `${those.length} ${labels[those[0]?.outcome ?? 'left']}: ${reason}.`
    return reason === undefined
      ? rows
      : [...rows, ...hanging('  ', printableSentence(cause), style)]
  })
}

function ledgerRows(ledger: SweptLedger, style: TerminalStyle): string[] {
  const { name, untouched, swept, foreign, cleared } = ledger
  const notes = [
    ...(untouched === undefined ? [] : [printableSentence(untouched)]),
    ...(foreign === 0
      ? []
      : [
          `${counted(foreign, 'line names', 'lines name')} something that this run cannot have made. ` +
            'Nothing was done about that, and the ledger is kept: look into it, and delete it by hand.',
        ]),
    ...(cleared ? ['Nothing is left of this run: the ledger was deleted.'] : []),
  ]
  return [
    printableSentence(name),
    ...sweptRows(swept, style),
    ...notes.flatMap((note) => hanging('  ', note, style)),
    '',
  ]
}

/** What a sweep did, for a person. */
function sweepText(
  ledgers: readonly SweptLedger[],
  doubts: readonly string[],
  style: TerminalStyle,
): string {
  const all = ledgers.flatMap(({ swept }) => swept)
  const count = (wanted: keyof typeof labels) =>
    all.filter(({ outcome }) => outcome === wanted).length
  const counts = (Object.keys(labels) as (keyof typeof labels)[])
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

/** What of a ledger is still to be taken away: a deployment of ours ended with its run. */
function outstandingOf({ outstanding, embedded, going }: ReadLedger): Creation[] {
  const ended = embedded && outstanding.every(({ baseUrl }) => LOOPBACK.test(baseUrl))
  return ended && going === undefined ? [] : outstanding
}

/**
 * Takes away what runs that were killed have left on the target, by their ledgers: only what a ledger
 * names, only at the base URL that it names. A ledger of which nothing is left goes too.
 *
 * @returns the exit status: 0 when nothing is left, else 3
 * @throws UsageError when the configuration is wrong
 */
export async function sweep(options: SweepOptions, context: CliContext): Promise<number> {
  const { environment, output, errors, redactor } = context
  if (options.reports.trim() === '') throw new UsageError('--reports names no directory.')
  const directory = resolve(context.directory, options.reports)
  const names = ledgersIn(directory)
  if (names.length === 0) {
    output.write(
      `There is no ledger in ${options.reports}: no run that reported there has left anything behind. ` +
        'Others have theirs where their --reports said.\n',
    )
    return 0
  }
  const { target } = loadTargetOrExplain(
    { environment, envFile: options.envFile, directory: context.directory },
    errors,
  )
  const secrets = secretsOf(target)
  for (const { name, value } of secrets) redactor.add(name, value)
  const sweeperOf = await sweepers()
  const open = new Map<Sweeper, Sweeping>()

  function sweepingOf(service: string): Sweeping {
    const sweeper = sweeperOf.get(service)
    if (sweeper === undefined) throw new Error(`nothing of ${service} can be taken away`)
    const sweeping = open.get(sweeper) ?? sweeper.open(target, { version, secrets, redactor })
    open.set(sweeper, sweeping)
    return sweeping
  }

  /** Why nothing of a ledger may be taken away now, and what to do; nothing when it may. */
  function obstacleTo(going: string | undefined, left: readonly Creation[]): string | undefined {
    if (going !== undefined) {
      return `It is left alone: the run may still be going, since ${going}. Sweep again when it has ended.`
    }
    if (left.length === 0) return undefined
    const obstacles = [...sweeperOf].map(([name, sweeper]) => {
      const ofService = left.filter(({ service }) => service === name)
      return ofService.length === 0 ? undefined : sweeper.obstacle(ofService, target)
    })
    const readOnly = target.probe.readOnly
      ? 'PROBE_READ_ONLY is true: nothing was sent.'
      : undefined
    return obstacles.find((obstacle) => obstacle !== undefined) ?? readOnly
  }

  async function sweepLedger(name: string): Promise<SweptLedger> {
    const file = join(directory, name)
    const nothing = { name, swept: [], foreign: 0, cleared: false }
    let ledger: ReadLedger
    try {
      ledger = readLedger(file, catalogues)
    } catch (error) {
      if (!(error instanceof UnreadableLedgerError)) throw error
      return { ...nothing, untouched: `The ledger ${error.message}.` }
    }
    const { run, foreign, going } = ledger
    const left = outstandingOf(ledger)
    const untouched = obstacleTo(going, left)
    if (untouched !== undefined) {
      const listed = left.map((creation): Swept => ({ creation, outcome: 'left' }))
      return { ...nothing, swept: going === undefined ? listed : [], foreign, untouched }
    }
    const swept: Swept[] = []
    for (const creation of left) swept.push(await sweepingOf(creation.service).sweep(creation))
    const gone = swept.filter(({ outcome }) => outcome !== 'left')
    const cleared = gone.length === swept.length && foreign === 0
    if (cleared) rmSync(file, { force: true })
    else for (const { creation } of gone) noteSwept(file, run, creation)
    return { name, swept, foreign, cleared }
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
