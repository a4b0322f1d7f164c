import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type RunReport, type RunVerdict, type Verdict, verdicts } from '../conformance/result.ts'
import { exitStatus, reasonsBesideCounts } from '../reports/exit-status.ts'
import { makeDirectory, ReportNotWrittenError } from '../reports/replace-files.ts'
import { validatorOf } from '../reports/schemas.ts'
import { countVerdicts, type VerdictCounts } from '../reports/verdict-counts.ts'
import lineSchema from './line.schema.json' with { type: 'json' }

/** A run in a history. */
export interface HistoryLine {
  schema: 1
  /** Its id. */
  run: string
  /** ISO 8601, UTC. */
  startedAt: string
  finishedAt: string
  /** Of Plumbline. */
  version: string
  /** As in `report.json`. */
  target: RunReport['target']
  verdict: RunVerdict
  /** Exit status. */
  status: number
  /** Why it is that one, where the counts do not say it. */
  reasons?: string[]
  counts: VerdictCounts
  /** Ids of requirements by verdict; those that nobody asked for, or can never be tested, are in none. */
  rows: Partial<Record<Verdict, string[]>>
}

/** Kinds of reason that tell nothing of the server. */
const neverJudged = new Set<string | undefined>(['untestable', 'not selected'])

const somethingElse = 'something went wrong beside it, which standard error told'

function reasonsOf(report: RunReport, status: number): string[] {
  const asTheResultsSay = status === exitStatus(report)
  return [...reasonsBesideCounts(report), ...(asTheResultsSay ? [] : [somethingElse])]
}

/** The line of a run. What an interrupted run did not come to is left out of its rows. */
export function historyLine(report: RunReport, status: number): HistoryLine {
  const rows: HistoryLine['rows'] = {}
  for (const verdict of verdicts) {
    if (verdict === 'inconclusive' && report.run.interrupted === true) continue
    const ids = report.results
      .filter((result) => result.verdict === verdict && !neverJudged.has(result.unjudged?.kind))
      .map(({ requirement }) => requirement)
    if (ids.length > 0) rows[verdict] = ids
  }
  const reasons = reasonsOf(report, status)
  return {
    schema: 1,
    run: report.run.id,
    startedAt: report.run.startedAt,
    finishedAt: report.run.finishedAt,
    version: report.tool.version,
    target: report.target,
    verdict: report.verdict,
    status,
    ...(reasons.length === 0 ? {} : { reasons }),
    counts: countVerdicts(report.results),
    rows,
  }
}

/** The line in a text, or why there is none: it is damaged, or written by a later Plumbline. */
function parsedLine(text: string): HistoryLine | 'damaged' | 'later' {
  try {
    const value: unknown = JSON.parse(text)
    if (validatorOf<HistoryLine>(lineSchema)(value)) return value
    const { schema } = value as { schema?: unknown }
    return Number(schema) > lineSchema.properties.schema.const ? 'later' : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** The verdicts of a run, by id of the requirement. */
export function verdictsOf({ rows }: HistoryLine): Map<string, Verdict> {
  return new Map(verdicts.flatMap((verdict) => (rows[verdict] ?? []).map((id) => [id, verdict])))
}

/** What a file holds. */
export interface ReadHistory {
  /** In the order of the file, which is that in which the runs ended. */
  lines: HistoryLine[]
  /** Numbers of the lines that are damaged or of no history, from 1 for the first that was read. */
  damaged: number[]
  /** The same for lines that a later version of Plumbline wrote, in a format that is not known yet. */
  later: number[]
  /** What the last line is; absent where there is none. */
  end?: 'run' | 'damaged' | 'later'
}

/** What a run reads of its history: some hundred runs. */
export const enoughBytes = 4_194_304

/** Hands an open file to what works on it, and closes it. */
function withFile<Result>(path: string, flags: string, work: (file: number) => Result): Result {
  const file = openSync(path, flags)
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

function lastText(file: number, bytes: number): { text: string; whole: boolean } {
  const { size } = fstatSync(file)
  const length = Math.min(size, bytes)
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(file, buffer, read, length - read, size - length + read)
    if (count === 0) break
    read += count
  }
  return { text: buffer.toString('utf8', 0, read), whole: length === size }
}

/**
 * Reads a history, or what fits into so many bytes of its end. A line that is damaged, such as the
 * last one of a run that was killed, is left out and reported.
 *
 * @throws Error with the code of the system, `ENOENT` where there is no such file
 */
export function readHistory(path: string, bytes = Number.POSITIVE_INFINITY): ReadHistory {
  const { text, whole } = withFile(path, 'r', (file) => lastText(file, bytes))
  const history: ReadHistory = { lines: [], damaged: [], later: [] }
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || (index === 0 && !whole)) continue
    const parsed = parsedLine(line)
    if (typeof parsed === 'object') history.lines.push(parsed)
    else history[parsed].push(index + 1)
    history.end = typeof parsed === 'object' ? 'run' : parsed
  }
  return history
}

/** How every line that a Plumbline writes begins. */
const beginning = '{"schema":'

/**
 * Whether a file is none of ours, in which nothing must be written: it has text that can be read,
 * and not even a half line of a history.
 */
export function isForeign(path: string): boolean {
  let text = ''
  try {
    text = withFile(path, 'r', (file) => lastText(file, enoughBytes).text)
  } catch {
    return false
  }
  // What a machine that lost its power leaves of a file can be zeros.
  const lines = text
    .replaceAll('\0', '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const cutShort = beginning.startsWith(lines.at(-1) ?? '')
  return !cutShort && !lines.some((line) => line.startsWith(beginning))
}

/**
 * Adds a run to the end of a history in one write, so that two runs at once do not mix their lines.
 * After a half line it begins a new one; an empty line means nothing.
 *
 * @throws ReportNotWrittenError when the file system refuses
 */
export function appendHistory(path: string, line: HistoryLine): void {
  try {
    makeDirectory(dirname(path))
    withFile(path, 'a+', (file) => {
      const start = ['', '\n'].includes(lastText(file, 1).text) ? '' : '\n'
      const content = Buffer.from(`${start}${JSON.stringify(line)}\n`)
      if (writeSync(file, content) !== content.length) {
        throw Object.assign(new Error('ENOSPC: only a part was written'), { code: 'ENOSPC' })
      }
    })
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}
