import type { RunReport, Verdict } from '../conformance/result.ts'
import { addressOf, completedBy, type EarlierRun, isSameTarget } from '../reports/changes.ts'
import { serviceName } from '../reports/run-words.ts'
import { judged } from '../reports/verdict-counts.ts'
import { type HistoryLine, verdictsOf } from './history.ts'

/** A run by its id and when it began (ISO 8601, UTC). */
export interface RunReference {
  run: string
  startedAt: string
}

/** A requirement that has had the same verdict for some time. */
export interface Streak {
  requirement: string
  /** The first run of it. */
  since: RunReference
  /** How many runs gave that verdict since; one that could give none does not end a failure. */
  runs: number
  /** The last run that gave another; absent when the history does not go back that far. */
  before?: RunReference & { verdict: Verdict }
}

/** A change of a verdict between two runs, at the later of them. */
export interface Flip extends RunReference {
  from: Verdict
  to: Verdict
}

/** A requirement whose verdict changed, and changed back. */
export interface FlakyRow {
  requirement: string
  /** How many runs gave a verdict, or could not. */
  runs: number
  /** The last first. */
  flips: Flip[]
}

/** What a history tells of one target. */
export interface TargetReview {
  /** By service, with its name as ids have it: its base URL, or `embedded`. */
  target: Record<string, string>
  /** The oldest first. */
  runs: HistoryLine[]
  failing: Streak[]
  inconclusive: Streak[]
  /** Within the last runs that were asked for. */
  flaky: FlakyRow[]
}

type Reported = RunReference & { verdict: Verdict }

function serviceOf(requirement: string): string {
  return requirement.split('/')[0] ?? ''
}

/** Whether a verdict in a run tells something of its row. */
type Telling = (verdicts: ReadonlyMap<string, Verdict>) => (id: string, verdict: Verdict) => boolean

/** A run that could not look tells nothing of the server: what failed before it fails on. */
const everyJudgement: Telling = () => (_, verdict) => judged(verdict)

/** A skipped row is settled: it no longer waits for a verdict. */
const everyWord: Telling = () => () => true

/** A service that gave no verdict at all was down: that tells nothing of a single row. */
const unlessDown: Telling = (verdicts) => {
  const up = [...verdicts].filter(([, verdict]) => !['skipped', 'inconclusive'].includes(verdict))
  const services = new Set(up.map(([id]) => serviceOf(id)))
  return (id, verdict) => verdict !== 'skipped' && services.has(serviceOf(id))
}

/** By requirement, its verdicts in the order of the runs. */
function seriesOf(lines: readonly HistoryLine[], telling: Telling): Map<string, Reported[]> {
  const series = new Map<string, Reported[]>()
  for (const line of lines) {
    const verdicts = verdictsOf(line)
    const tells = telling(verdicts)
    for (const [id, verdict] of verdicts) {
      if (!tells(id, verdict)) continue
      const reported = series.get(id) ?? []
      series.set(id, reported)
      reported.push({ run: line.run, startedAt: line.startedAt, verdict })
    }
  }
  return series
}

/** Waived and advisory deviations are deviations: to waive a failure is no change of the server. */
function kindOf(verdict: Verdict): string {
  return verdict === 'waived' || verdict === 'advisory' ? 'fail' : verdict
}

function streakOf(requirement: string, reported: readonly Reported[], wanted: Verdict): Streak[] {
  if (reported.at(-1)?.verdict !== wanted) return []
  const before = reported.findLast(({ verdict }) => kindOf(verdict) !== wanted)
  const streak = reported.slice(before === undefined ? 0 : reported.indexOf(before) + 1)
  const [first] = streak
  if (first === undefined) return []
  const { run, startedAt } = first
  const since = { run, startedAt }
  return [{ requirement, since, runs: streak.length, ...(before === undefined ? {} : { before }) }]
}

function flipsOf(reported: readonly Reported[]): Flip[] {
  return reported.flatMap(({ verdict, run, startedAt }, index) => {
    const from = reported[index - 1]?.verdict
    return from === undefined || kindOf(from) === kindOf(verdict)
      ? []
      : [{ run, startedAt, from, to: verdict }]
  })
}

/**
 * Whether a verdict came back that had gone. A change for good, by way of a night without a verdict
 * perhaps, is a row that broke or was mended.
 *
 * @param flips in the order of the runs
 */
function areThereAndBack(flips: readonly Flip[]): boolean {
  const kinds = flips.flatMap(({ from, to }, index) =>
    (index === 0 ? [from, to] : [to]).map(kindOf),
  )
  return new Set(kinds).size < kinds.length
}

function placesOf(target: RunReport['target']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(target).map(([service, place]) => [serviceName(service), addressOf(place)]),
  )
}

/** The runs of each target. One that probed fewer services of it is one of the same target. */
function byTarget(
  lines: readonly HistoryLine[],
): { target: RunReport['target']; runs: HistoryLine[] }[] {
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

/** The runs of the same target as a report. */
export function runsOfTarget(
  lines: readonly HistoryLine[],
  target: RunReport['target'],
): HistoryLine[] {
  return lines.filter((line) => isSameTarget(line.target, target))
}

/**
 * The runs of one target as the run before the next one: what the last of them did not select, or
 * could not judge, has the verdict of an earlier one besides. `undefined` where there are none.
 *
 * @param lines the oldest first
 */
export function latestOf(lines: readonly HistoryLine[]): EarlierRun | undefined {
  const [first, ...others] = lines.map((line): EarlierRun => {
    const results = [...verdictsOf(line)].map(([requirement, verdict]) => ({
      requirement,
      verdict,
    }))
    return { run: { startedAt: line.startedAt }, target: line.target, results }
  })
  return first === undefined ? undefined : others.reduce(completedBy, first)
}

/**
 * What a history tells of each of its targets, in the order in which they first appear.
 *
 * @param last how many of the last runs of a target decide whether a row is flaky
 */
export function reviewHistory(lines: readonly HistoryLine[], last: number): TargetReview[] {
  return byTarget(lines).map(({ target, runs }) => {
    const words = [...seriesOf(runs, everyWord)]
    const judgements = [...seriesOf(runs, everyJudgement)]
    const recent = [...seriesOf(runs.slice(-last), unlessDown)]
    const inconclusive = words.flatMap(([id, reported]) => streakOf(id, reported, 'inconclusive'))
    const waiting = new Set(inconclusive.map(({ requirement }) => requirement))
    return {
      target: placesOf(target),
      runs,
      failing: judgements
        .filter(([id]) => !waiting.has(id))
        .flatMap(([id, reported]) => streakOf(id, reported, 'fail')),
      inconclusive,
      flaky: recent
        .map(([requirement, reported]) => ({
          requirement,
          runs: reported.length,
          flips: flipsOf(reported),
        }))
        .filter(({ flips }) => areThereAndBack(flips))
        .map((row) => ({ ...row, flips: row.flips.toReversed() }))
        .sort((one, other) => other.flips.length - one.flips.length),
    }
  })
}
