import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { causeTexts } from '../../reports/verdict-labels.ts'
import {
  isDeviation,
  outcomeOf,
  type RunOutcome,
  type VerdictCounts,
} from '../../results/outcome.ts'
import {
  type Coverage,
  type RequirementResult,
  type RunReport,
  type RunVerdict,
  type Verdict,
  verdicts,
} from '../../results/run-report.ts'
import { isSameTarget } from '../../results/targets.ts'
import { groupBy } from '../../text/group-by.ts'
import { readLastLines } from '../../text/read-file.ts'
import { makeDirectory, ReportNotWrittenError } from '../../text/write-files.ts'
import { isHistoryLine } from '../validators.ts'

/** Run, as in `line.schema.json`. */
export interface HistoryLine extends Pick<RunReport, 'target'> {
  schema: 2
  run: string
  /** ISO 8601, UTC. */
  startedAt: string
  finishedAt: string
  version: string
  verdict: RunVerdict
  status: number
  /** Reasons of the status except failures and missing verdicts. */
  reasons?: readonly string[]
  /** True if only some of the requirements were selected. */
  selection?: boolean
  counts: VerdictCounts
  coverage: Coverage
  requirements: Partial<Record<Verdict, string[]>>
}

/** Returns the line of a run, without requirements that an interrupted run did not reach. */
export function historyLine(report: RunReport, outcome: RunOutcome): HistoryLine {
  const { run, tool, target, results } = report
  const isSelection = results.some(({ noVerdict }) => noVerdict?.kind === 'not selected')
  const reached = results.filter(({ verdict, noVerdict }) => {
    const isOpen = noVerdict?.kind === 'untestable' || noVerdict?.kind === 'not selected'
    return !isOpen && !(verdict === 'inconclusive' && run.interrupted === true)
  })
  const requirements = [...groupBy(reached, ({ verdict }) => verdict)].map(([verdict, group]) => {
    return [verdict, group.map(({ requirement }) => requirement)]
  })
  const reasons = causeTexts(outcome)
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
    ...(isSelection && { selection: true }),
    counts: outcome.counts,
    coverage: outcome.coverage,
    requirements: Object.fromEntries(requirements),
  }
}

/** Returns the first of the last runs in which each requirement fails, also as waived or advisory. @param lines oldest first */
export function failingSince(lines: readonly HistoryLine[]) {
  const since = new Map<string, NonNullable<RequirementResult['failingSince']>>()
  for (const { run, startedAt, requirements } of lines) {
    for (const id of requirements.pass ?? []) since.delete(id)
    const failing = verdicts.filter(isDeviation).flatMap((verdict) => requirements[verdict] ?? [])
    for (const id of failing) if (!since.has(id)) since.set(id, { run, startedAt })
  }
  return since
}

/** Adds to each failure the run since which it fails. @param earlier runs of the same target, oldest first */
export function withFailingSince(
  report: RunReport,
  isComplete: boolean,
  earlier: readonly HistoryLine[],
): RunReport {
  const line = historyLine(report, outcomeOf(report, isComplete))
  const since = failingSince([...earlier, line])
  const results = report.results.map((result) => {
    const first = result.verdict === 'fail' ? since.get(result.requirement) : undefined
    return { ...result, ...(first && { failingSince: first }) }
  })
  return { ...report, results }
}

/** Returns the end of the last run of all requirements with exit status 0. @param lines oldest first */
export function lastSuccessOf(lines: readonly HistoryLine[]): string | undefined {
  return lines.findLast(({ status, selection }) => status === 0 && selection !== true)?.finishedAt
}

/** Returns the runs of each target. A run of fewer of its services has the same target. */
export function byTarget(lines: readonly HistoryLine[]) {
  const groups: { target: RunReport['target']; runs: HistoryLine[] }[] = []
  for (const line of lines) {
    const group = groups.find(({ target }) => isSameTarget(target, line.target))
    if (group === undefined) {
      groups.push({ target: line.target, runs: [line] })
    } else {
      group.target = { ...group.target, ...line.target }
      group.runs.push(line)
    }
  }
  return groups
}

/** Last lines of a history, some thousand runs, in the order of their end. */
export interface History {
  lines: HistoryLine[]
  /** Numbers of invalid lines, such as the last line of a killed run. */
  invalidLines: number[]
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
  }
}

/** Returns true if a file, by path or descriptor, has text and no valid line; nothing may be written to it then. */
export function isOtherFile(file: string | number): boolean {
  try {
    // A loss of power may leave zeros, or the prefix of a line.
    const text = readLastLines(file).join('\n').replaceAll('\0', '').trim()
    return !'{"schema":'.startsWith(text) && !/^\s*\{"schema":/m.test(text)
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
