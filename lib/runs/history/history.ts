import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { HistoryEntry } from '../../reports/run-changes.ts'
import { causeTexts } from '../../reports/verdict-labels.ts'
import { makeDirectory, ReportNotWrittenError } from '../../reports/write-files.ts'
import type { ComparedCases } from '../../results/changes.ts'
import type { RunOutcome } from '../../results/outcome.ts'
import type { RunReport, Verdict } from '../../results/run-report.ts'
import { caseKey, snapshotOf } from '../../results/snapshot.ts'
import { isJudged, summarize } from '../../results/verdict.ts'
import { groupBy } from '../../text/group-by.ts'
import { readLastLines } from '../../text/read-file.ts'
import { isHistoryLine } from '../validators.ts'

/** Run, as in `line.schema.json`. */
export interface HistoryLine extends HistoryEntry, Pick<RunReport, 'target'> {
  schema: 2
  finishedAt: string
  version: string
  requirements: Partial<Record<Verdict, string[]>>
  /** Keys of the cases that deviate, by requirement and digest of the deviation. */
  cases?: Record<string, Record<string, string[]>>
  /** Keys of cases that could not be judged, with the judged requirements that lack exactly these. */
  missing?: { cases: string[]; requirements: string[] }[]
}

/** Returns an object of those entries that have a value; undefined if there are none. */
function someOf<Value>(entries: readonly (readonly [string, Value | undefined])[]) {
  const some = entries.filter((entry): entry is [string, Value] => entry[1] !== undefined)
  return some.length === 0 ? undefined : Object.fromEntries(some)
}

/** Returns the keys of the cases that deviate, by the digest of the deviation. */
function keysByDigest(cases: ComparedCases | undefined): Record<string, string[]> | undefined {
  const byDigest = groupBy([...(cases?.deviating ?? [])], ([, digest]) => digest)
  return someOf([...byDigest].map(([digest, group]) => [digest, group.map(([key]) => key)]))
}

/** Returns the line of a run, without requirements that an interrupted run did not reach. */
export function historyLine(report: RunReport, outcome: RunOutcome): HistoryLine {
  const { run, tool, target, results } = report
  const reached = results.filter(({ verdict, noVerdict }) => {
    const isOpen = noVerdict?.kind === 'untestable' || noVerdict?.kind === 'not selected'
    return !isOpen && !(verdict === 'inconclusive' && run.interrupted === true)
  })
  const requirements = [...groupBy(reached, ({ verdict }) => verdict)].map(([verdict, group]) => {
    return [verdict, group.map(({ requirement }) => requirement)]
  })
  const states = snapshotOf(report).results
  const cases = someOf(states.map((one) => [one.requirement, keysByDigest(one.cases)]))
  const keys = report.cases.map(caseKey)
  const lacking = results.flatMap(({ requirement, verdict, cases }) => {
    const numbers = cases?.missing.flatMap((one) => one.cases) ?? []
    if (!isJudged(verdict) || numbers.length === 0) return []
    const missing = numbers.toSorted((one, other) => one - other)
    return [{ requirement, cases: missing.flatMap((number) => keys[number] ?? []) }]
  })
  const groups = [...groupBy(lacking, ({ cases }) => cases.join(' ')).values()]
  const missing = groups.map((group) => ({
    cases: group[0].cases,
    requirements: group.map(({ requirement }) => requirement),
  }))
  const { counts, exitStatus, ...summary } = summarize(report)
  const reasons = causeTexts(summary)
  if (outcome.exitStatus !== exitStatus) reasons.push('another error occurred; see standard error')
  return {
    schema: 2,
    run: run.id,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    version: tool.version,
    target,
    verdict: outcome.verdict,
    status: outcome.exitStatus,
    ...(reasons.length > 0 && { reasons }),
    ...(states.some(({ state }) => state === 'not selected') && { selection: true }),
    counts,
    coverage: outcome.coverage,
    requirements: Object.fromEntries(requirements),
    ...(cases && { cases }),
    ...(missing.length > 0 && { missing }),
  }
}

/** Last lines of a history, some thousand runs, in the order of their end. */
export interface History {
  lines: HistoryLine[]
  /** Numbers of invalid lines, such as the last line of a killed run. */
  invalidLines: number[]
  endsWithInvalidLine: boolean
}

/** @throws Error for a file that cannot be read, see `readingProblem` */
export function readHistory(path: string): History {
  const read = readLastLines(path).flatMap((text, index) => {
    if (text.trim() === '') return []
    try {
      const value: unknown = JSON.parse(text)
      return [isHistoryLine(value) ? (value as HistoryLine) : index + 1]
    } catch {
      return [index + 1]
    }
  })
  return {
    lines: read.filter((each) => typeof each !== 'number'),
    invalidLines: read.filter((each) => typeof each === 'number'),
    endsWithInvalidLine: typeof read.at(-1) === 'number',
  }
}

/** Returns true if a file, by path or descriptor, has text and no valid line; nothing may be written to it then. */
export function isOtherFile(file: string | number): boolean {
  try {
    // A loss of power may leave zeros, or the prefix of a line.
    const texts = readLastLines(file).map((line) => line.replaceAll('\0', '').trim())
    const lines = texts.filter((line) => line !== '')
    const begin = '{"schema":'
    if (begin.startsWith(lines.join('\n'))) return false
    return !lines.some((line) => line.startsWith(begin))
  } catch {
    return false
  }
}

/** Flags that follow no link, and do not wait for the other end of a pipe. */
const TO_APPEND =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK

/**
 * Appends a run to a history in one write, so that concurrent runs do not mix their lines.
 * It starts a new line after an incomplete one; empty lines are ignored.
 *
 * @throws ReportNotWrittenError for a file system error, a link, and a file that is not a history
 */
export function appendHistory(path: string, line: HistoryLine): void {
  try {
    makeDirectory(dirname(path))
    const file = openSync(path, TO_APPEND)
    try {
      // The file may have appeared during the run.
      if (!fstatSync(file).isFile()) throw new Error('it is not a regular file')
      if (isOtherFile(file)) throw new Error('it is not a history of runs')
      const last = Buffer.from('\n')
      readSync(file, last, 0, 1, Math.max(0, fstatSync(file).size - 1))
      const start = last.toString() === '\n' ? '' : '\n'
      const content = Buffer.from(`${start}${JSON.stringify(line)}\n`)
      if (writeSync(file, content) !== content.length) {
        throw Object.assign(new Error('ENOSPC: only a part was written'), { code: 'ENOSPC' })
      }
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}
