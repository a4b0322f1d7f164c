import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { appendLine, type Creation, NAMELESS } from '../conformance/ledger.ts'
import type { Catalogue } from '../conformance/requirement.ts'
import type { LeakedResource } from '../results/run-report.ts'

/** `ledger-<run>.ndjson`, the run as it is named by the time at which it began. */
const LEDGER_NAME = /^ledger-(\d{8}t\d{4}-[\da-f]{6})\.ndjson$/

/** A run writes a few dozen lines of less than a kilobyte. */
const LARGEST_BYTES = 4 * 1024 * 1024

/** A process number is used again some time; until then, a day is more than any run takes. */
const LONGEST_RUN_MS = 24 * 3_600_000

/** From elsewhere nobody can see whether a process is there: an hour of silence is its end. */
const LONGEST_SILENCE_MS = 3_600_000

export interface ReadLedger {
  run: string
  outstanding: Creation[]
  /** How many lines name something that no run of this name makes. */
  foreign: number
  /** The deployment ended with the run. */
  embedded: boolean
  /** Why the run may still be going, in words; absent when it has ended. */
  going: string | undefined
}

const events = ['intended', 'made', 'gone', 'swept']

type Line = Readonly<Record<string, unknown>>

export class UnreadableLedgerError extends Error {
  override readonly name = 'UnreadableLedgerError'
}

/** The run whose ledger has this file name. */
export const runOfLedger = (name: string): string | undefined => LEDGER_NAME.exec(name)?.[1]

function linesIn(text: string): Line[] {
  return text.split('\n').flatMap((line): Line[] => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'object' && value !== null ? [value as Line] : []
    } catch {
      // A process that was killed, or a full disk, leaves half a line, of what was never asked for.
      return []
    }
  })
}

/** What a line says was made, if this run can have made it. */
function creationIn(line: Line, run: string, catalogues: readonly Catalogue[]) {
  const { name, account, baseUrl } = line
  const { service, creations } = catalogues.find((one) => one.service === line.service) ?? {}
  const kind = creations?.find((created) => created === line.kind)
  if (line.run !== run || service === undefined || kind === undefined) return undefined
  if (typeof name !== 'string' || typeof account !== 'string' || account === '') return undefined
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return undefined
  const own = name.startsWith(`plumbline-${run}-`) && /^[\w-]+[\da-z]$/i.test(name)
  if (!own && name !== NAMELESS) return undefined
  const deletedBy = /^[A-Z_]+$/.exec(String(line.deletedBy))?.[0]
  return { kind, name, account, service, baseUrl, ...(deletedBy && { deletedBy }) }
}

function isAlive(number: number): boolean {
  try {
    process.kill(number, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    // A process that has ended stays until somebody has taken note.
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${number}/stat`, 'utf8'))
  } catch {
    return true
  }
}

function goingOf(lines: Line[], begun: Line | undefined, now: number): string | undefined {
  const timeOf = ({ at }: Line): number => (typeof at === 'string' && Date.parse(at)) || 0
  const number = Number(begun?.process)
  if (begun?.host === hostname() && Number.isInteger(number) && number > 0) {
    const going = now - timeOf(begun) < LONGEST_RUN_MS && isAlive(number)
    return going ? `process ${number} on this machine is there` : undefined
  }
  const times = lines.map((line) => (line.event === 'swept' ? 0 : timeOf(line)))
  if (now - times.reduce((last, time) => Math.max(last, time), 0) >= LONGEST_SILENCE_MS) {
    return undefined
  }
  return 'it was not begun on this machine, and its ledger was written to less than an hour ago'
}

/**
 * A ledger may be damaged, or written by somebody else: what it names counts only where the run whose
 * name the file has can have made it.
 *
 * @throws UnreadableLedgerError
 */
export function readLedger(
  file: string,
  catalogues: readonly Catalogue[],
  now = Date.now(),
): ReadLedger {
  const run = runOfLedger(basename(file))
  if (run === undefined) throw new UnreadableLedgerError('is not named like a ledger')
  let text: string | undefined
  try {
    if (statSync(file).size <= LARGEST_BYTES) text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UnreadableLedgerError(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  if (text === undefined) throw new UnreadableLedgerError('is too large')
  const lines = linesIn(text)
  const isBegun = (line: Line) => line.event === 'begun' && line.run === run
  const outstanding: Creation[] = []
  let foreign = 0
  for (const line of lines) {
    if (isBegun(line)) continue
    const creation = creationIn(line, run, catalogues)
    if (creation === undefined || !events.includes(String(line.event))) {
      foreign += 1
      continue
    }
    const { name, account, baseUrl } = creation
    const index = outstanding.findLastIndex(
      (one) => one.name === name && one.account === account && one.baseUrl === baseUrl,
    )
    if (line.event === 'intended') outstanding.push({ ...creation, mayExist: true })
    else if (index >= 0) outstanding.splice(index, 1, ...(line.event === 'made' ? [creation] : []))
  }
  const begun = lines.find(isBegun)
  const going = goingOf(lines, begun, now)
  return { run, outstanding, foreign, embedded: begun?.embedded === true, going }
}

/** What the ledger of a run says may still be there; empty where there is none that can be read. */
export function outstandingIn(file: string, catalogues: readonly Catalogue[]): LeakedResource[] {
  try {
    const { outstanding } = readLedger(file, catalogues)
    return outstanding.map(({ service: _, baseUrl: __, ...left }) => left)
  } catch (error) {
    if (error instanceof UnreadableLedgerError) return []
    throw error
  }
}

export function noteSwept(file: string, runId: string, creation: Creation): void {
  appendLine(file, runId, 'swept', creation)
}
