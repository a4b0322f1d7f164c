import {
  type ComparedCases,
  type ComparedResult,
  change,
  isJudgedState,
  targetChanges,
} from '../../results/changes.ts'
import { idParts, toServiceName } from '../../results/ids.ts'
import { type Coverage, type RunReport, type Verdict, verdicts } from '../../results/run-report.ts'
import {
  addressOf,
  completedBy,
  isSameTarget,
  lostSince,
  type RunSnapshot,
  type SnapshotResult,
} from '../../results/snapshot.ts'
import { isCoverageLess, isDeviation } from '../../results/verdict.ts'
import { groupBy } from '../../text/group-by.ts'
import type { HistoryLine } from './history.ts'

type RunPlace = Pick<HistoryLine, 'run' | 'startedAt'>
type RunCoverage = RunPlace & { coverage: Coverage }

/** Requirement with the same verdict in the last runs. */
interface Streak {
  requirement: string
  since: RunPlace
  runs: number
  /** Number of runs in which it was waived or advisory instead. */
  tolerated: number
  /** Last run with another verdict, if the history has it. */
  before: (RunPlace & { verdict: Verdict }) | undefined
}

/** Requirement whose verdict changed and changed back. */
interface FlakyRow {
  requirement: string
  runs: number
  /** Last one first. */
  flips: (RunPlace & { from: Verdict; to: Verdict })[]
}

interface CoverageDrop {
  since: RunCoverage
  before: RunCoverage
  coverage: Coverage
  /** Ids of the requirements that `before` judged and the last run did not. */
  lost: string[]
}

export interface TargetReview {
  /** Base URL or `embedded`, by service. */
  target: Record<string, string>
  /** Oldest first. */
  runs: HistoryLine[]
  coverageDrop: CoverageDrop | undefined
  failing: Streak[]
  inconclusive: Streak[]
  flaky: FlakyRow[]
}

interface Reported extends ComparedResult {
  id: string
  at: RunPlace
  verdict: Verdict
  index: number
  /** True if the run has any verdict on the service. */
  responded: boolean
  /** True for a pass without cases that deviated when last judged: it is not conclusive. */
  isPartial?: true
}

/** Returns the cases of a requirement; undefined without a verdict. */
function casesInLine(
  { cases = {}, missing = [] }: HistoryLine,
  requirement: string,
  verdict: Verdict,
): ComparedCases | undefined {
  const { [requirement]: keys } = cases
  if (keys === undefined && verdict !== 'pass') return undefined
  const deviating = Object.entries(keys ?? {}).flatMap(([digest, all]) =>
    all.map((key) => [key, digest] as const),
  )
  const lacking = missing.find(({ requirements }) => requirements.includes(requirement))
  return { deviating: new Map(deviating), missing: new Set(lacking?.cases) }
}

function snapshotOfLine(line: HistoryLine): RunSnapshot {
  const { startedAt, target, version, requirements } = line
  const results = verdicts.flatMap((verdict) =>
    (requirements[verdict] ?? []).map((requirement): SnapshotResult => {
      const cases = casesInLine(line, requirement, verdict)
      return { requirement, state: verdict, ...(cases && { cases }) }
    }),
  )
  return { startedAt, target, version, results }
}

/** Marks passes that do not show whether the cases that deviated before conform. */
function withPartialPasses(reported: readonly Reported[]): Reported[] {
  let last: Reported | undefined
  return reported.map((one) => {
    const isLost = last !== undefined && change(last, one).kind === 'lostVerdicts'
    if (isJudgedState(one.state) && !isLost) last = one
    return isLost && one.state === 'pass' ? { ...one, isPartial: true } : one
  })
}

function seriesOf(lines: readonly HistoryLine[]): Map<string, Reported[]> {
  const all = lines.flatMap((line, index) => {
    const at = { run: line.run, startedAt: line.startedAt }
    const { results } = snapshotOfLine(line)
    const judged = results.filter(({ state }) => isJudgedState(state))
    const judgedServices = new Set(judged.map(({ requirement }) => idParts(requirement).service))
    return results.map(({ requirement: id, state, cases }) => {
      return {
        id,
        at,
        verdict: state as Verdict,
        state,
        ...(cases && { cases }),
        index,
        responded: judgedServices.has(idParts(id).service),
      }
    })
  })
  const series = groupBy(all, ({ id }) => id)
  return new Map([...series].map(([id, results]) => [id, withPartialPasses(results)]))
}

/** Returns the state of the target: waiving a failure does not change it. */
function withoutTolerance(verdict: Verdict): Verdict {
  return isDeviation(verdict) ? 'fail' : verdict
}

/** Returns since when a requirement has a verdict; empty if it does not have it now. */
function streakOf(requirement: string, reported: readonly Reported[], wanted: Verdict): Streak[] {
  if (reported.at(-1)?.verdict !== wanted) return []
  const end = reported.findLastIndex(({ verdict }) => withoutTolerance(verdict) !== wanted)
  const [first, last] = [reported[end + 1], reported[end]]
  const before = last && { ...last.at, verdict: last.verdict }
  const streak = reported.slice(end + 1)
  const runs = streak.filter(({ verdict }) => verdict === wanted).length
  const tolerated = streak.length - runs
  return first ? [{ requirement, since: first.at, runs, tolerated, before }] : []
}

/** Returns a requirement whose verdict changed and changed back; empty for another one. */
function flakyRow(requirement: string, reported: readonly Reported[]): FlakyRow[] {
  const flips = reported.flatMap(({ at, ...is }, index): FlakyRow['flips'] => {
    const was = reported[index - 1]
    if (was === undefined || !targetChanges.includes(change(was, is).kind)) return []
    // It fails in other cases.
    if (withoutTolerance(was.verdict) === withoutTolerance(is.verdict)) return []
    return [{ ...at, from: was.verdict, to: is.verdict }]
  })
  const changed = [...reported.slice(0, 1).map((one) => one.verdict), ...flips.map(({ to }) => to)]
  if (new Set(changed.map(withoutTolerance)).size === changed.length) return []
  return [{ requirement, runs: reported.length, flips: flips.reverse() }]
}

/**
 * Returns since when the coverage is lower than in an earlier run, and the lost requirements. Runs of
 * a selection do not count.
 */
function coverageDrop(all: readonly HistoryLine[]): CoverageDrop | undefined {
  const runs = all.filter(({ selection }) => selection !== true)
  const last = runs.at(-1)
  // A service that was not probed before has not lost anything.
  const hadServices = ({ target }: HistoryLine) =>
    Object.keys(last?.target ?? {}).every((service) => Object.hasOwn(target, service))
  const index = runs.findLastIndex(
    (one) => last && hadServices(one) && isCoverageLess(one.coverage, last.coverage),
  )
  const [before, since] = [runs[index], runs[index + 1]]
  if (!last || !before || !since) return undefined
  const at = ({ run, startedAt, coverage }: HistoryLine) => ({ run, startedAt, coverage })
  const lost = lostSince(snapshotOfLine(before), snapshotOfLine(last))
  return { since: at(since), before: at(before), coverage: last.coverage, lost }
}

/** Returns the runs of each target. A run of fewer of its services has the same target. */
function byTarget(lines: readonly HistoryLine[]) {
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

/** Returns the last run of a target, completed by earlier ones. @param runs oldest first */
export function latestOf(lines: readonly HistoryLine[]): RunSnapshot | undefined {
  const [first, ...others] = lines.map(snapshotOfLine)
  return first && others.reduce(completedBy, first)
}

/** Returns the end of the last run of all requirements with exit status 0. @param lines oldest first */
export function lastSuccessOf(lines: readonly HistoryLine[]): string | undefined {
  return lines.findLast(({ status, selection }) => status === 0 && selection !== true)?.finishedAt
}

/** Returns the trends of each target. @param last number of last runs that decide whether a requirement is flaky */
export function reviewHistory(lines: readonly HistoryLine[], last: number): TargetReview[] {
  return byTarget(lines).map(({ target, runs }) => {
    const rows = [...seriesOf(runs)].map(([id, reported]) => {
      const inconclusive = streakOf(id, reported, 'inconclusive')
      // An inconclusive run says nothing about the target: an earlier failure continues.
      const conclusive = reported.filter(({ state, isPartial }) => {
        return isJudgedState(state) && !isPartial
      })
      const failing = inconclusive.length > 0 ? [] : streakOf(id, conclusive, 'fail')
      // A service that was down says nothing about one requirement.
      const recent = reported.filter(({ state, index, responded, isPartial }) => {
        const isKnown = (isJudgedState(state) && !isPartial) || state === 'inconclusive'
        return isKnown && responded && index >= runs.length - last
      })
      return { failing, inconclusive, flaky: flakyRow(id, recent) }
    })
    return {
      target: Object.fromEntries(
        Object.entries(target).map(([key, place]) => [toServiceName(key), addressOf(place)]),
      ),
      runs,
      coverageDrop: coverageDrop(runs.slice(-last)),
      failing: rows.flatMap(({ failing }) => failing),
      inconclusive: rows.flatMap(({ inconclusive }) => inconclusive),
      flaky: rows
        .flatMap(({ flaky }) => flaky)
        .sort((one, other) => other.flips.length - one.flips.length),
    }
  })
}
