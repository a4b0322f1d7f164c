import { groupBy } from '../../environment/group-by.ts'
import { addressOf, completedBy, type EarlierRun, isSameTarget } from '../../reports/changes.ts'
import { idParts, serviceName } from '../../results/ids.ts'
import type { RunReport, Verdict } from '../../results/result.ts'
import { isCoverageLess, isJudged } from '../../results/verdict.ts'
import { type HistoryLine, verdictsOf } from './history.ts'

/** By requirement, what the runs said of it, in their order. */
function seriesOf(lines: readonly HistoryLine[]): Map<string, Reported[]> {
  const all = lines.flatMap((line, index) => {
    const at = { run: line.run, startedAt: line.startedAt }
    const said = [...verdictsOf(line)].map(([id, verdict]) => {
      return { id, at, verdict, index, isPartial: line.partial?.includes(id) === true }
    })
    const judgedOnes = said.filter(({ verdict }) => isJudged(verdict))
    const up = new Set(judgedOnes.map(({ id }) => idParts(id).service))
    return said.map((each) => ({ ...each, answered: up.has(idParts(each.id).service) }))
  })
  return groupBy(all, ({ id }) => id)
}

/** What a run, of that index, said of a requirement; its service answered if it gave any verdict. */
interface Reported {
  at: { run: string; startedAt: string }
  verdict: Verdict
  index: number
  answered: boolean
  /** A pass from which nothing is concluded. */
  isPartial: boolean
}

/** Waived and advisory deviations are deviations: to waive a failure is no change of the server. */
function kindOf(verdict: Verdict): Verdict {
  return verdict === 'waived' || verdict === 'advisory' ? 'fail' : verdict
}

/**
 * Returns since when a requirement has had a verdict, the number of runs with it, those in which it was
 * waived or advisory instead, and the last run with another verdict, if the history has it.
 */
function streakOf(requirement: string, reported: readonly Reported[], wanted: Verdict) {
  if (reported.at(-1)?.verdict !== wanted) return []
  const end = reported.findLastIndex(({ verdict }) => kindOf(verdict) !== wanted)
  const [first, last] = [reported[end + 1], reported[end]]
  const before = last && { ...last.at, verdict: last.verdict }
  const streak = reported.slice(end + 1)
  const runs = streak.filter(({ verdict }) => verdict === wanted).length
  const tolerated = streak.length - runs
  return first ? [{ requirement, since: first.at, runs, tolerated, before }] : []
}

/** A row with a verdict that came back: a change for good is a row that broke or was mended. */
function flakyRow(requirement: string, reported: readonly Reported[]) {
  const flips = reported.flatMap(({ at, verdict }, index) => {
    const from = reported[index - 1]?.verdict ?? verdict
    return kindOf(from) === kindOf(verdict) ? [] : [{ ...at, from, to: verdict }]
  })
  const kinds = [...reported.slice(0, 1), ...flips.map(({ to: verdict }) => ({ verdict }))]
  if (new Set(kinds.map(({ verdict }) => kindOf(verdict))).size === kinds.length) return []
  // The last first.
  return [{ requirement, runs: reported.length, flips: flips.reverse() }]
}

/**
 * Returns since when the last run judges a smaller share than a run before it, and what got lost. Runs of
 * a selection do not count: they leave out what nobody asked for.
 */
function coverageFall(all: readonly HistoryLine[]) {
  const lines = all.filter(({ selection }) => selection !== true)
  const told = (line: HistoryLine) => (line.coverage ? [{ ...line, coverage: line.coverage }] : [])
  const [runs, [last]] = [lines.flatMap(told), lines.slice(-1).flatMap(told)]
  const index = runs.findLastIndex((one) => last && isCoverageLess(one.coverage, last.coverage))
  const [before, since] = [runs[index], runs[index + 1]]
  if (!last || !before || !since) return undefined
  const at = ({ run, startedAt, coverage }: typeof last) => ({ run, startedAt, coverage })
  const judgedIn = (line: HistoryLine) =>
    [...verdictsOf(line)].flatMap(([id, verdict]) => (isJudged(verdict) ? id : []))
  const now = new Set(judgedIn(last))
  const lost = judgedIn(before).filter((id) => !now.has(id))
  return { since: at(since), before: at(before), coverage: last.coverage, lost }
}

/** The runs of each target. One that probed fewer services of it is one of the same target. */
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

/** Of one target, the oldest first: what the last run did not judge has the verdict of an earlier one. */
export function latestOf(lines: readonly HistoryLine[]): EarlierRun | undefined {
  const [first, ...others] = lines.map((line): EarlierRun => {
    const verdicts = [...verdictsOf(line)]
    const results = verdicts.map(([requirement, verdict]) => {
      const deviation = line.deviations?.[requirement]
      return {
        requirement,
        verdict,
        // Which parts were not checked is not in a history.
        ...(line.partial?.includes(requirement) && { partial: [] }),
        ...(deviation !== undefined && { deviation }),
      }
    })
    return { run: { startedAt: line.startedAt }, target: line.target, results }
  })
  return first === undefined ? undefined : others.reduce(completedBy, first)
}

/** By target. @param last how many of its last runs decide whether a row is flaky */
export function reviewHistory(lines: readonly HistoryLine[], last: number) {
  return byTarget(lines).map(({ target, runs }) => {
    const rows = [...seriesOf(runs)].map(([id, reported]) => {
      // A service that was down tells nothing of a single row.
      const recent = reported.filter(
        ({ index, verdict, answered, isPartial }) =>
          index >= runs.length - last && verdict !== 'skipped' && answered && !isPartial,
      )
      const inconclusive = streakOf(id, reported, 'inconclusive')
      // A run that could not look tells nothing of the server: what failed before it fails on.
      const judgements = reported.filter(
        ({ verdict, isPartial }) => isJudged(verdict) && !isPartial,
      )
      const failing = inconclusive.length > 0 ? [] : streakOf(id, judgements, 'fail')
      return { failing, inconclusive, flaky: flakyRow(id, recent) }
    })
    return {
      /** By service, with its name as ids have it: its base URL, or `embedded`. */
      target: Object.fromEntries(
        Object.entries(target).map(([key, place]) => [serviceName(key), addressOf(place)]),
      ),
      /** The oldest first. */
      runs,
      /** Within the last runs; absent where the last one judged no smaller share. */
      judgedLess: coverageFall(runs.slice(-last)),
      failing: rows.flatMap(({ failing }) => failing),
      inconclusive: rows.flatMap(({ inconclusive }) => inconclusive),
      flaky: rows
        .flatMap(({ flaky }) => flaky)
        .sort((one, other) => other.flips.length - one.flips.length),
    }
  })
}

export type TargetReview = ReturnType<typeof reviewHistory>[number]
