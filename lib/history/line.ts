import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type RunReport, type RunVerdict, type Verdict, verdicts } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import { exitStatus, reasonsBesideCounts } from '../reports/exit-status.ts'
import type { PastRun } from '../reports/past-runs.ts'
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
  /** Why it is that one, where the counts do not say it; lines of older versions have none. */
  reasons?: string[]
  counts: VerdictCounts
  /** Ids of requirements by verdict; those that nobody asked for, or can never be tested, are in none. */
  rows: Partial<Record<Verdict, string[]>>
}

const ajv = new Ajv2020({ validateSchema: false })
addFormats.default(ajv)
const validate = ajv.compile<HistoryLine>(lineSchema)

const cannotBeTested = 'cannot be tested: '

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
      .filter((result) => result.verdict === verdict)
      .filter(({ reason = '' }) => reason !== notSelected && !reason.startsWith(cannotBeTested))
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

/** The version of its format that a value claims to have, where it is later than ours. */
function isLater(value: unknown): boolean {
  const { schema } = (value ?? {}) as { schema?: unknown }
  return typeof schema === 'number' && schema > lineSchema.properties.schema.const
}

/** The line in a text, or why there is none: it is damaged, or written by a later Plumbline. */
export function parseHistoryLine(text: string): HistoryLine | 'damaged' | 'later' {
  try {
    const value: unknown = JSON.parse(text)
    if (validate(value)) return value
    return isLater(value) ? 'later' : 'damaged'
  } catch {
    return 'damaged'
  }
}

const notKept = 'for a reason that was not kept'

/** Why a run has its exit status, where its counts do not say it. */
export function statusReasons({ reasons, status, verdict }: HistoryLine): string[] {
  const unexplained = verdict === 'conformant' && status !== 0
  return reasons ?? (unexplained ? [notKept] : [])
}

/** The verdicts of a run, by id of the requirement. */
export function verdictsOf({ rows }: HistoryLine): Map<string, Verdict> {
  return new Map(verdicts.flatMap((verdict) => (rows[verdict] ?? []).map((id) => [id, verdict])))
}

/** A run of a history as a picture shows it. */
export function pastRun(line: HistoryLine): PastRun {
  const { run, startedAt, verdict, counts, status } = line
  return { id: run, startedAt, verdict, counts, status, reasons: statusReasons(line) }
}
