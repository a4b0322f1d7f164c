import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type RunReport, type RunVerdict, type Verdict, verdicts } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import type { PastRun } from '../reports/past-runs.ts'
import { countVerdicts, type VerdictCounts } from '../reports/verdict-counts.ts'
import lineSchema from './history-line.schema.json' with { type: 'json' }

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
  counts: VerdictCounts
  /** Ids of requirements by verdict; those that nobody asked for, or can never be tested, are in none. */
  rows: Partial<Record<Verdict, string[]>>
}

const ajv = new Ajv2020({ validateSchema: false })
addFormats.default(ajv)
const validate = ajv.compile<HistoryLine>(lineSchema)

const cannotBeTested = 'cannot be tested: '

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
  return {
    schema: 1,
    run: report.run.id,
    startedAt: report.run.startedAt,
    finishedAt: report.run.finishedAt,
    version: report.tool.version,
    target: report.target,
    verdict: report.verdict,
    status,
    counts: countVerdicts(report.results),
    rows,
  }
}

/** The line in a text; `undefined` for one that is damaged or of no history. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return validate(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The verdicts of a run, by id of the requirement. */
export function verdictsOf({ rows }: HistoryLine): Map<string, Verdict> {
  return new Map(verdicts.flatMap((verdict) => (rows[verdict] ?? []).map((id) => [id, verdict])))
}

/** A run of a history as a picture shows it. */
export function pastRun({ run, startedAt, verdict, counts, status }: HistoryLine): PastRun {
  return { id: run, startedAt, verdict, counts, status }
}
