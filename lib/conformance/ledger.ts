import {
  appendFileSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { Secret } from '../environment/environment.ts'
import type { Target } from '../environment/target.ts'
import type { Redactor } from '../probe/redaction.ts'
import type { LeftBehind } from '../results/result.ts'
import { inconclusive } from './outcome.ts'
import type { Catalogue } from './requirement.ts'

export interface Creation extends LeftBehind {
  service: string
  baseUrl: string
}

/** What a line of a ledger has, and nothing else that a creation may carry. */
const FIELDS = 'run at event process host embedded service baseUrl kind name account deletedBy'

/** Fails at a symbolic link: in a shared folder, another user may have put it there. */
const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

function appendLine(file: string, run: string, event: string, details: object): void {
  const line = { run, at: new Date().toISOString(), event, ...details }
  const opened = openSync(file, TO_APPEND)
  try {
    appendFileSync(opened, `${JSON.stringify(line, FIELDS.split(' '))}\n`)
  } finally {
    closeSync(opened)
  }
}

export function noteSwept(file: string, runId: string, creation: Creation): void {
  appendLine(file, runId, 'swept', creation)
}

/**
 * Notes what a run creates before it is made, one JSON object a line, so that a run that is killed
 * leaves a trace. The file goes when everything has gone again, or the embedded deployment with all of it.
 */
export function openLedger(file: string | undefined, runId: string, embedded = false) {
  const outstanding = new Set<Creation>()
  let begun = false

  function write(event: string, creation: Creation): void {
    if (file === undefined) return
    const writer = { process: process.pid, host: hostname(), embedded: embedded || undefined }
    if (!begun) appendLine(file, runId, 'begun', writer)
    begun = true
    appendLine(file, runId, event, creation)
  }

  function note(event: string, creation: Creation): void {
    try {
      write(event, creation)
    } catch {
      // A file that names too much does no harm: what is gone cannot be deleted twice.
    }
  }

  return {
    /** @throws Inconclusive when it cannot be noted: then it must not be made */
    intend(creation: Creation): void {
      try {
        write('intended', creation)
      } catch (error) {
        const { message } = error as Error
        inconclusive(`nothing is created that cannot be noted in ${file} first: ${message}`)
      }
      outstanding.add(creation)
    },
    /** It was not made after all, or it has been taken away. */
    settle(creation: Creation): void {
      if (outstanding.delete(creation)) note('gone', creation)
    },
    /** It was made: until then it only may exist. */
    confirm: (creation: Creation): void => note('made', creation),
    outstanding: (): Creation[] => [...outstanding],
    close(): void {
      const isGone = embedded || outstanding.size === 0
      if (begun && isGone && file !== undefined) rmSync(file, { force: true })
    },
  }
}

/** `ledger-<run>.ndjson`, the run as it is named by the time at which it began. */
const LEDGER_NAME = /^ledger-(\d{8}t\d{4}-[\da-f]{6})\.ndjson$/

/** A run writes a few dozen lines of less than a kilobyte. */
const LARGEST_BYTES = 4 * 1024 * 1024

/** A process number is used again some time; until then, a day is more than any run takes. */
const LONGEST_RUN_MS = 24 * 3_600_000

/** From elsewhere nobody can see whether a process is there: an hour of silence is its end. */
const LONGEST_SILENCE_MS = 3_600_000

/** In place of the name of a token that was asked for without one. */
export const NAMELESS = '(without a name)'

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
export function outstandingIn(file: string, catalogues: readonly Catalogue[]): LeftBehind[] {
  try {
    const { outstanding } = readLedger(file, catalogues)
    return outstanding.map(({ service: _, baseUrl: __, ...left }) => left)
  } catch (error) {
    if (error instanceof UnreadableLedgerError) return []
    throw error
  }
}

export interface Swept {
  creation: Creation
  /** `gone`: the service knows no such thing. `refused`: it is one that a service refuses to make. */
  outcome: 'removed' | 'gone' | 'refused' | 'left'
  /** Why it was left, or may be there all the same, and what to do. */
  reason?: string
  /** Whether it says nothing about what else was not found: the service did not let us look. */
  unauthorized?: true
}

export interface Sweeper {
  /** Why none of it can be taken away with this target, and what to do; absent when it can. */
  obstacle(creations: readonly Creation[], target: Target): string | undefined
  /** What may be wrong where nothing at all was found. */
  readonly doubt: string
  /** For a target without an obstacle. */
  open(target: Target, options: SweepingOptions): Sweeping
}

export type SweepingOptions = { version: string; secrets: Secret[]; redactor: Redactor }

export interface Sweeping {
  sweep(creation: Creation): Promise<Swept>
  close(): Promise<void>
}
