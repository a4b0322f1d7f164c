import { existsSync, readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import type { LeakedResource } from '../results/run-report.ts'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { type CreatedResource, isNameOf, UNNAMED } from './ledger.ts'

/** `ledger-<run id>.ndjson`; the run id starts with the time. */
const LEDGER_NAME = /^ledger-(\d{8}t\d{4}-[\da-f]{6})\.ndjson$/

/** Maximum age of an active run. Process ids are reused, so an older ledger never belongs to a running process. */
const MAX_RUN_MS = 24 * 3_600_000

/** Maximum time between two lines of an active run of another machine. */
const MAX_SILENCE_MS = 3_600_000

interface ReadLedger {
  run: string
  outstanding: CreatedResource[]
  unknownLines: number
  /** True if the run probed the reference server, which ended with it. */
  embedded: boolean
  /** Sentence that says why its resources must not be deleted: it cannot be read, or the run may still be active. */
  obstacle?: string
}

const events = ['intended', 'created', 'deleted', 'swept']

/** Kinds of resources that the checks of each service create. */
type CreationsOf = ReadonlyMap<string, { readonly kinds: readonly string[] }>

type LedgerLine = Readonly<Record<string, unknown>>

/** Returns the run id in the file name of a ledger; undefined for other files. */
export const ledgerRunId = (name: string): string | undefined => LEDGER_NAME.exec(name)?.[1]

/** Returns the names of the ledgers in a folder, the oldest first. */
export function ledgersIn(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ name }) => (ledgerRunId(name) === undefined ? [] : name)).sort()
}

function parseLines(text: string): LedgerLine[] {
  return text.split('\n').flatMap((line): LedgerLine[] => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'object' && value !== null ? [value as LedgerLine] : []
    } catch {
      // An incomplete line belongs to a request that was never sent: the process was killed, or the disk was full.
      return []
    }
  })
}

/** Returns the resource of a line; undefined if the run cannot have created it. */
function parseCreation(line: LedgerLine, run: string, creationsOf: CreationsOf) {
  const { name, account, baseUrl } = line
  const service = String(line.service)
  const kind = creationsOf.get(service)?.kinds.find((created) => created === line.kind)
  if (line.run !== run || kind === undefined) return undefined
  if (typeof name !== 'string' || typeof account !== 'string' || account === '') return undefined
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return undefined
  if (!isNameOf(run, name) && name !== UNNAMED) return undefined
  const deletedBy = /^[A-Z_]+$/.exec(String(line.deletedBy))?.[0]
  return { kind, name, account, service, baseUrl, ...(deletedBy && { deletedBy }) }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function findActiveReason(lines: LedgerLine[], start: LedgerLine | undefined, now: number) {
  const timeOf = ({ at }: LedgerLine): number => (typeof at === 'string' && Date.parse(at)) || 0
  const processId = Number(start?.process)
  if (start?.host === hostname() && Number.isInteger(processId) && processId > 0) {
    const isActive = now - timeOf(start) < MAX_RUN_MS && isAlive(processId)
    return isActive && `process ${processId} is running on this machine`
  }
  const times = lines.map((line) => (line.event === 'swept' ? 0 : timeOf(line)))
  if (now - times.reduce((last, time) => Math.max(last, time), 0) >= MAX_SILENCE_MS) {
    return undefined
  }
  return 'it was started on another machine, and its ledger changed less than an hour ago'
}

/** Reads a ledger, which may be damaged or forged: only lines that the run in the file name can have written count. */
export function readLedger(file: string, creationsOf: CreationsOf, now = Date.now()): ReadLedger {
  const run = ledgerRunId(basename(file)) ?? ''
  const unreadable = (problem: string): ReadLedger => {
    const obstacle = `The ledger ${problem}.`
    return { run, outstanding: [], unknownLines: 0, embedded: false, obstacle }
  }
  if (run === '') return unreadable('is not named like a ledger')
  let text: string
  try {
    text = readRegularFile(file)
  } catch (error) {
    return unreadable(readingProblem(error))
  }
  const lines = parseLines(text)
  const isStart = (line: LedgerLine) => line.event === 'started' && line.run === run
  const outstanding: CreatedResource[] = []
  let unknownLines = 0
  for (const line of lines) {
    if (isStart(line)) continue
    const creation = parseCreation(line, run, creationsOf)
    if (creation === undefined || !events.includes(String(line.event))) {
      unknownLines += 1
      continue
    }
    const { name, account, baseUrl } = creation
    const index = outstanding.findLastIndex(
      (one) => one.name === name && one.account === account && one.baseUrl === baseUrl,
    )
    if (line.event === 'intended') outstanding.push({ ...creation, unconfirmed: true })
    else if (index >= 0)
      outstanding.splice(index, 1, ...(line.event === 'created' ? [creation] : []))
  }
  const start = lines.find(isStart)
  const reason = findActiveReason(lines, start, now)
  const obstacle = `Skipped: the run may still be active (${reason}). Run sweep again when it has ended.`
  const read = { run, outstanding, unknownLines, embedded: start?.embedded === true }
  return reason ? { ...read, obstacle } : read
}

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?(\/|$)/

/** Returns the resources that may exist; resources of a reference server ended with its run. */
export function existingResources({ embedded, outstanding }: ReadLedger): CreatedResource[] {
  return embedded && outstanding.every(({ baseUrl }) => LOOPBACK.test(baseUrl)) ? [] : outstanding
}

/** Returns the ledgers of ended runs with resources that may exist. @param name of the folder in the results */
export function findOpenLedgers(folder: string, name: string, creationsOf: CreationsOf) {
  return (existsSync(folder) ? ledgersIn(folder) : []).flatMap((file) => {
    const ledger = readLedger(join(folder, file), creationsOf)
    const resources = ledger.obstacle === undefined ? existingResources(ledger).length : 0
    return resources === 0 ? [] : { file: join(name, file), resources }
  })
}

/** Returns the resources that a run may not have deleted; empty without a readable ledger. */
export function readOutstanding(file: string, creationsOf: CreationsOf): LeakedResource[] {
  return readLedger(file, creationsOf).outstanding.map(
    ({ service: _, baseUrl: __, ...resource }) => resource,
  )
}
