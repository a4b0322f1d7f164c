import { createHash } from 'node:crypto'
import { createNormalizer } from '../results/normalize.ts'
import {
  type Coverage,
  type Deviation,
  deviationsOf,
  deviationText,
  type RequirementResult,
  type RunReport,
  type RunVerdict,
  type Verdict,
} from '../results/result.ts'
import { isFullPass, isJudged, type VerdictCounts } from '../results/verdict.ts'
import { counted } from './run-words.ts'

/** A report of it is one, and so is a line of a history. */
export interface EarlierRun {
  run: Pick<RunReport['run'], 'startedAt'>
  target: RunReport['target']
  results: readonly EarlierResult[]
}

interface EarlierResult
  extends Pick<RequirementResult, 'requirement' | 'verdict' | 'unjudged' | 'partial' | 'reason'> {
  /** Of a row without a verdict, or with a partial pass, the last one that an earlier run reached. */
  lastJudged?: Verdict
  /** Digest of the deviations of the last verdict, see `deviationDigest`; undefined if unknown. */
  deviation?: string
}

/** Returns a text that is equal for two runs in which a requirement deviated in the same way. */
function deviationDigest(
  deviations: readonly Deviation[],
  normalize: (text: string) => string,
): string | undefined {
  const texts = new Set(deviations.map((one) => normalize(deviationText(one))))
  if (texts.size === 0) return undefined
  return createHash('sha256')
    .update([...texts].sort().join('\n'))
    .digest('hex')
    .slice(0, 16)
}

/** Returns what later runs are compared with. */
export function earlierRun(report: RunReport): EarlierRun {
  const normalize = createNormalizer(report)
  const results = report.results.map((result): EarlierResult => {
    const { requirement, verdict, unjudged } = result
    const deviation = deviationDigest(deviationsOf(result, report.exchanges), normalize)
    return {
      ...{ requirement, verdict },
      ...(unjudged && { unjudged }),
      ...(deviation !== undefined && { deviation }),
    }
  })
  return { run: report.run, target: report.target, results }
}

export interface PastRun {
  run: string
  /** ISO 8601, UTC. */
  startedAt: string
  verdict: RunVerdict
  counts: VerdictCounts
  coverage?: Coverage
  status: number
  /** Why it is that one, where the counts do not say it. */
  reasons?: readonly string[]
  /** True if the run was asked for some of the requirements only. */
  selection?: boolean
}

export interface Past {
  previous?: EarlierRun | undefined
  /** Runs of the same target, the oldest first, this one last; absent when no history is kept. */
  runs?: readonly PastRun[] | undefined
}

/** Where a service was probed. Embedded deployments are all the same one, whatever their port. */
export function addressOf({ baseUrl, embedded }: RunReport['target'][string]): string {
  return embedded === true ? 'embedded' : baseUrl
}

/** Whether two runs probed a service in common, and each such service at the same place. */
export function isSameTarget(one: RunReport['target'], other: RunReport['target']): boolean {
  const places = new Map(Object.entries(other))
  const common = Object.entries(one).flatMap(([service, here]) => {
    const there = places.get(service)
    return there === undefined ? [] : [addressOf(here) === addressOf(there)]
  })
  return common.length > 0 && !common.includes(false)
}

/** Returns true for a verdict from which something can be concluded. */
function isKnown(result: EarlierResult): boolean {
  return isJudged(result.verdict) && (result.verdict !== 'pass' || isFullPass(result))
}

function lastKnown(earlier: EarlierResult | undefined): Verdict | undefined {
  return earlier && isKnown(earlier) ? earlier.verdict : earlier?.lastJudged
}

/**
 * A run, completed by an older one: what it did not select has the older result; what it could not
 * judge, or only in part, keeps the last verdict that is known.
 */
export function completedBy(older: EarlierRun, newer: EarlierRun): EarlierRun {
  const results = new Map(older.results.map((result) => [result.requirement, result]))
  for (const result of newer.results) {
    const before = results.get(result.requirement)
    if (result.unjudged?.kind === 'not selected' && before !== undefined) continue
    const lastJudged = lastKnown(result) ?? lastKnown(before)
    const isWhole = isKnown(result) || lastJudged === undefined
    const deviation = before?.deviation
    results.set(
      result.requirement,
      isWhole ? result : { ...result, lastJudged, ...(deviation !== undefined && { deviation }) },
    )
  }
  const target = { ...older.target, ...newer.target }
  return { run: newer.run, target, results: [...results.values()] }
}

/** The last of several earlier runs of the same target, completed by the others. */
export function lastRunBefore(
  { target }: Pick<RunReport, 'target'>,
  candidates: readonly (EarlierRun | undefined)[],
): EarlierRun | undefined {
  const [oldest, ...newer] = candidates
    .flatMap((run) => (run !== undefined && isSameTarget(run.target, target) ? [run] : []))
    .toSorted((one, other) => Date.parse(one.run.startedAt) - Date.parse(other.run.startedAt))
  return oldest && newer.reduce(completedBy, oldest)
}

interface Kind {
  /** Follows a number: `2 newly failing`. */
  what: string
  /** The last verdict that is known, and the one of now; without these a verdict was lost. */
  from?: readonly (Verdict | undefined)[]
  to?: Verdict
  /** True if the requirement deviated before too, in another way. */
  differs?: true
  /** Of a failure, how old it is. */
  age?: string
}

const unseen = 'had no full verdict in the run before'
const deviates: readonly (Verdict | undefined)[] = ['fail', 'waived', 'advisory']

/** What matters most first. */
const kinds: readonly Kind[] = [
  { what: 'newly failing', from: ['pass'], to: 'fail', age: 'is new' },
  // Nobody can tell whether such a failure is new.
  { what: `failing that ${unseen}`, from: [undefined], to: 'fail', age: unseen },
  { what: 'deviating differently', differs: true, age: 'deviates differently' },
  { what: 'no longer waived', from: ['waived'], to: 'fail', age: 'is no longer waived' },
  { what: 'no longer advisory', from: ['advisory'], to: 'fail', age: 'is no longer advisory' },
  { what: 'newly without a verdict' },
  { what: 'newly waived', from: ['fail'], to: 'waived' },
  { what: 'newly advisory', from: ['fail', 'waived'], to: 'advisory' },
  { what: 'mended', from: ['fail', 'waived'], to: 'pass' },
]

/**
 * Skipped or without a verdict, and judged in the earlier run; or skipped, and judged before a run
 * that had no verdict. What nobody asked for is no news.
 */
function isLost({ verdict, unjudged }: RequirementResult, earlier?: EarlierResult): boolean {
  if (earlier === undefined || isJudged(verdict) || unjudged?.kind === 'not selected') return false
  const wasLostMeanwhile = verdict === 'skipped' && earlier.verdict === 'inconclusive'
  return isJudged(earlier.verdict) || (wasLostMeanwhile && lastKnown(earlier) !== undefined)
}

export type Changes = NonNullable<ReturnType<typeof changesSince>>

/**
 * When the earlier run began (ISO 8601, UTC), and the kinds of news that there are, with the results
 * as they are now; `undefined` where there is no earlier run, or none of the same target.
 */
export function changesSince(previous: EarlierRun | undefined, report: RunReport) {
  if (previous === undefined || !isSameTarget(previous.target, report.target)) return undefined
  const before = new Map(previous.results.map((result) => [result.requirement, result]))
  const now = new Map(earlierRun(report).results.map((result) => [result.requirement, result]))
  const differs = ({ requirement }: RequirementResult) => {
    const [earlier, later] = [before.get(requirement), now.get(requirement)]
    const [was, is] = [earlier?.deviation, later?.deviation]
    return (
      deviates.includes(lastKnown(earlier)) && was !== undefined && is !== undefined && was !== is
    )
  }
  const news = kinds.flatMap((kind) => {
    const results = report.results.filter((result) => {
      const earlier = before.get(result.requirement)
      if (kind.differs || differs(result)) return kind.differs === true && differs(result)
      if (kind.from === undefined) return isLost(result, earlier)
      const isReached = result.verdict === kind.to && isKnown(result)
      return isReached && kind.from.includes(lastKnown(earlier))
    })
    return results.length > 0 ? [{ ...kind, results }] : []
  })
  return { since: previous.run.startedAt, news }
}

/**
 * How old the failures of a run are, in words: `1 failure is new, 2 are no longer waived`. A failure
 * of unknown age is not counted as new, nor are there then said to be no new ones.
 */
export function newFailuresText({ news }: Changes): string {
  const aged = news.flatMap(({ age, results }) => {
    const count = results.filter(({ verdict }) => verdict === 'fail').length
    return age && count > 0 ? [{ age, count }] : []
  })
  const isUnseen = ({ age }: { age: string }) => age === unseen
  const parts = [...aged.filter((one) => !isUnseen(one)), ...aged.filter(isUnseen)].map(
    ({ age, count }, index) => {
      const number = index === 0 ? counted(count, 'failure', 'failures') : count
      const plural = age.replace(/^is /, 'are ').replace(/^deviates /, 'deviate ')
      return `${number} ${count === 1 ? age : plural}`
    },
  )
  return parts.length === 0 ? 'no failure is new' : parts.join(', ')
}
