import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Creation, noteSwept } from '../conformance/ledger.ts'
import {
  type ReadLedger,
  readLedger,
  runOfLedger,
  UnreadableLedgerError,
} from '../conformance/ledger-reading.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { secretsOf } from '../target/secrets.ts'
import { systemReason } from '../target/system-reason.ts'
import type { CodeHostingTarget, Target } from '../target/target.ts'
import { type CliContext, UsageError } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { terminalOptions, writeOutput } from './output.ts'
import { loadTargetOrExplain } from './prepare-run.ts'
import type { Broom, Swept } from './sweep-ledger.ts'
import { type SweptLedger, sweepText } from './sweep-text.ts'

const LEFT = 3

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?(\/|$)/

export interface SweepOptions {
  envFile?: string
  reports: string
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

function withCodeHosting(
  target: Target,
): (Target & { codeHosting: CodeHostingTarget }) | undefined {
  const { codeHosting } = target
  return codeHosting === undefined ? undefined : { ...target, codeHosting }
}

/** Why nothing of a ledger may be taken away now, and what to do; nothing when it may. */
function obstacleTo({ going, outstanding }: ReadLedger, target: Target): string | undefined {
  const { codeHosting, probe } = target
  if (going !== undefined) {
    return `It is left alone: the run may still be going, since ${going}. Sweep again when it has ended.`
  }
  const [other] = outstanding.filter(({ baseUrl }) => baseUrl !== codeHosting?.baseUrl)
  if (other !== undefined) {
    const configured =
      codeHosting === undefined ? 'is not set' : `is ${codeHosting.baseUrl}, another deployment`
    return (
      `The run made it at ${other.baseUrl}, and CODE_HOSTING_BASE_URL ${configured}: nothing was ` +
      'sent. Sweep again with the variables of that deployment.'
    )
  }
  if (probe.readOnly) return 'PROBE_READ_ONLY is true: nothing was sent.'
  if (codeHosting?.tokenDeletePath === undefined) {
    return (
      'CODE_HOSTING_TOKEN_DELETE_PATH is not set: nothing was sent. Set it to where tokens are ' +
      'deleted, such as /api/v1/users/{username}/tokens/{name}, and sweep again, or delete these ' +
      'in the settings of their accounts, and then the ledger.'
    )
  }
  return undefined
}

function listed(creations: readonly Creation[]): Swept[] {
  return creations.map((creation) => ({ creation, outcome: 'left' }))
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
  for (const { name, value } of secretsOf(target)) redactor.add(name, value)

  let broom: Broom | undefined
  async function swept(creations: readonly Creation[]): Promise<Swept[]> {
    const configured = withCodeHosting(target)
    const path = configured?.codeHosting.tokenDeletePath
    if (configured === undefined || path === undefined || creations.length === 0) return []
    const { createBroom } = await import('./sweep-ledger.ts')
    broom ??= createBroom(configured, path, redactor)
    return broom.sweep(creations)
  }

  async function sweepLedger(name: string): Promise<SweptLedger> {
    const file = join(directory, name)
    const nothing = { name, swept: [], foreign: 0, cleared: false }
    let ledger: ReadLedger
    try {
      ledger = readLedger(file)
    } catch (error) {
      if (!(error instanceof UnreadableLedgerError)) throw error
      return { ...nothing, untouched: `The ledger ${error.message}.` }
    }
    const { run, outstanding, foreign, embedded } = ledger
    // The deployment of ours ended with the run, and all that was made in it.
    const ended = embedded && outstanding.every(({ baseUrl }) => LOOPBACK.test(baseUrl))
    const left = ended && ledger.going === undefined ? [] : outstanding
    const untouched = obstacleTo({ ...ledger, outstanding: left }, target)
    if (untouched !== undefined && (left.length > 0 || ledger.going !== undefined)) {
      const shown = ledger.going === undefined ? listed(left) : []
      return { ...nothing, swept: shown, foreign, untouched }
    }
    const found = await swept(left)
    const gone = found.filter(({ outcome }) => outcome !== 'left')
    const cleared = gone.length === found.length && foreign === 0
    if (cleared) rmSync(file, { force: true })
    else for (const { creation } of gone) noteSwept(file, run, creation)
    return { name, swept: found, foreign, cleared }
  }

  const ledgers: SweptLedger[] = []
  try {
    for (const name of names) ledgers.push(await sweepLedger(name))
  } finally {
    await broom?.close()
  }
  const text = redactor.redact(sweepText(ledgers, terminalStyle(terminalOptions(context))))
  writeOutput(text, context)
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
