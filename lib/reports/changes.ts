import type { RequirementResult, RunReport, RunVerdict, Verdict } from '../conformance/result.ts'
import { counted } from './run-words.ts'
import { judged, type VerdictCounts } from './verdict-counts.ts'

/** What is known of an earlier run: a report of it is, and so is a line of a history. */
export interface EarlierRun {
  run: Pick<RunReport['run'], 'startedAt'>
  target: RunReport['target']
  results: readonly EarlierResult[]
}

/** What an earlier run said of a requirement, or runs before it. */
export interface EarlierResult
  extends Pick<RequirementResult, 'requirement' | 'verdict' | 'unjudged'> {
  /** Of a row without a verdict, the last one that an earlier run is known to have reached. */
  lastJudged?: Verdict
}

/** A run of the same target, as a history has it. */
export interface PastRun {
  /** Its id. */
  run: string
  /** ISO 8601, UTC. */
  startedAt: string
  verdict: RunVerdict
  counts: VerdictCounts
  /** Exit status. */
  status: number
  /** Why it is that one, where the counts do not say it. */
  reasons?: readonly string[]
}

/** What is known of the time before a run. */
export interface Past {
  /** The run before, to tell what is new. */
  previous?: EarlierRun | undefined
  /** Runs of the same target, the oldest first, this one last; absent when no history is kept. */
  runs?: readonly PastRun[] | undefined
}

/** A kind of news: `what` follows a number, as in `2 newly failing`. */
export interface News {
  what: string
  /** Of failures, how old they are, in words for one of them and for several. */
  age?: readonly [one: string, many: string]
  /** As they are now; never empty. */
  results: readonly RequirementResult[]
}

/** What is new in a run since an earlier one of the same target. */
export interface Changes {
  /** When the earlier run began: ISO 8601, UTC. */
  since: string
  /** The kinds that there are, what matters most first. */
  news: readonly News[]
}

/**
 * Where a service was probed. Embedded deployments are all the same one, whatever the port and the
 * fault.
 */
export function addressOf({ baseUrl, embedded }: RunReport['target'][string]): string {
  return embedded === true ? 'embedded' : baseUrl
}

/** Whether two runs probed a service in common, and each such service at the same place. */
export function isSameTarget(one: RunReport['target'], other: RunReport['target']): boolean {
  const common = Object.keys(one).filter((service) => Object.hasOwn(other, service))
  return (
    common.length > 0 &&
    common.every((service) => {
      const [here, there] = [one[service], other[service]]
      return here !== undefined && there !== undefined && addressOf(here) === addressOf(there)
    })
  )
}

function deviates(verdict: Verdict | undefined): boolean {
  return verdict === 'fail' || verdict === 'waived'
}

/** The last verdict that a run reached: one without says nothing of the server. */
function lastKnown(earlier: EarlierResult | undefined): Verdict | undefined {
  if (earlier === undefined) return undefined
  return judged(earlier.verdict) ? earlier.verdict : earlier.lastJudged
}

/**
 * A run, completed by an older one: what it did not select has the older result; what it could not
 * judge keeps the last verdict that is known.
 */
export function completedBy(older: EarlierRun, newer: EarlierRun): EarlierRun {
  const results = new Map(older.results.map((result) => [result.requirement, result]))
  for (const result of newer.results) {
    const before = results.get(result.requirement)
    if (result.unjudged?.kind === 'not selected' && before !== undefined) continue
    const lastJudged = lastKnown(result) ?? lastKnown(before)
    const isKnown = judged(result.verdict) || lastJudged === undefined
    results.set(result.requirement, isKnown ? result : { ...result, lastJudged })
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
    .filter((run) => run !== undefined)
    .filter((run) => isSameTarget(run.target, target))
    .toSorted((one, other) => Date.parse(one.run.startedAt) - Date.parse(other.run.startedAt))
  return oldest === undefined ? undefined : newer.reduce(completedBy, oldest)
}

interface Kind extends Omit<News, 'results'> {
  /** By the last verdict that is known, where any is, and by the earlier result and the one of now. */
  holds(
    known: Verdict | undefined,
    now: RequirementResult,
    earlier: EarlierResult | undefined,
  ): boolean
}

function failing(before: Verdict | undefined): Kind['holds'] {
  return (known, { verdict }) => verdict === 'fail' && known === before
}

/**
 * Skipped or without a verdict, and judged in the earlier run; or skipped, and judged before a run
 * that had no verdict. What nobody asked for is no news.
 */
function isLost(
  known: Verdict | undefined,
  { verdict, unjudged }: RequirementResult,
  earlier: EarlierResult | undefined,
): boolean {
  if (earlier === undefined || judged(verdict) || unjudged?.kind === 'not selected') return false
  const wasLostMeanwhile = verdict === 'skipped' && earlier.verdict === 'inconclusive'
  return judged(earlier.verdict) || (wasLostMeanwhile && known !== undefined)
}

const unseen = 'had no verdict in the run before'

const kinds: readonly Kind[] = [
  { what: 'newly failing', age: ['is new', 'are new'], holds: failing('pass') },
  // Nobody can tell whether such a failure is new.
  { what: `failing that ${unseen}`, age: [unseen, unseen], holds: failing(undefined) },
  {
    // As old as the waived deviation.
    what: 'no longer waived',
    age: ['is no longer waived', 'are no longer waived'],
    holds: failing('waived'),
  },
  {
    what: 'no longer advisory',
    age: ['is no longer advisory', 'are no longer advisory'],
    holds: failing('advisory'),
  },
  { what: 'newly without a verdict', holds: isLost },
  {
    what: 'newly waived',
    holds: (known, { verdict }) => known === 'fail' && verdict === 'waived',
  },
  {
    what: 'newly advisory',
    holds: (known, { verdict }) => deviates(known) && verdict === 'advisory',
  },
  { what: 'mended', holds: (known, { verdict }) => deviates(known) && verdict === 'pass' },
]

/** `undefined` where there is no earlier run, or none of the same target. */
export function changesSince(
  previous: EarlierRun | undefined,
  report: RunReport,
): Changes | undefined {
  if (previous === undefined || !isSameTarget(previous.target, report.target)) return undefined
  const before = new Map(previous.results.map((result) => [result.requirement, result]))
  const news = kinds.map(({ holds, ...kind }) => ({
    ...kind,
    results: report.results.filter((result) => {
      const earlier = before.get(result.requirement)
      return holds(lastKnown(earlier), result, earlier)
    }),
  }))
  return {
    since: previous.run.startedAt,
    news: news.filter(({ results }) => results.length > 0),
  }
}

/**
 * How old the failures of a run are, in words: `1 failure is new, 2 are no longer waived`. A failure
 * of unknown age is not counted as new, nor are there then said to be no new ones.
 */
export function newFailuresText({ news }: Changes): string {
  const parts = news
    .flatMap(({ age, results }) => (age === undefined ? [] : [{ age, count: results.length }]))
    // Those of unknown age come last.
    .toSorted((one, other) => Number(one.age[0] === unseen) - Number(other.age[0] === unseen))
    .map(({ age: [one, many], count }, index) => {
      const words = count === 1 ? one : many
      return index === 0 ? `${counted(count, 'failure', 'failures')} ${words}` : `${count} ${words}`
    })
  return parts.length === 0 ? 'no failure is new' : parts.join(', ')
}
