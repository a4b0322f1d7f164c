import { groupByReason } from '../reports/reason-groups.ts'
import { counted, durationText } from '../reports/run-words.ts'
import { verdictCountsText, verdictTally } from '../reports/verdict-counts.ts'
import { type Comparison, comparisonStatus } from './compare.ts'
import { differenceText } from './observation-diff.ts'
import {
  type ChangedResult,
  isVerdict,
  type ListFormat,
  listNames,
  lists,
  type Tone,
} from './transitions.ts'

/** Things of which the same is to be said. */
export interface Group {
  ids: string[]
  /** What is said of them, in sentences without full stops. */
  details: string[]
  /** How many they are, where the details are a reason: `2 skipped, 1 inconclusive`. */
  tally?: string
}

/** A part of a comparison as every text of it has it. */
export interface Section {
  title: string
  count: number
  tone: Tone
  /** Whether Markdown folds it until a reader opens it. */
  folded: boolean
  /** For the line of the outcome; absent where it is not counted there. */
  phrase?: string | undefined
  /** Of the whole comparison because of it. */
  status?: 1 | 3
  /** What is shown with what was expected and what came. */
  failures: ChangedResult[]
  /** All else. */
  groups: Group[]
}

/** `2 skipped, 1 inconclusive`; of what was not looked at, whose reason says it, the number. */
function tallyOf(results: readonly ChangedResult[]): string {
  const verdicts = results.flatMap(({ after }) => (isVerdict(after) ? [{ verdict: after }] : []))
  const texts = verdictTally(verdicts).map(({ text }) => text)
  return texts.join(', ') || String(results.length)
}

const idsOf = (results: readonly ChangedResult[]) => results.map(({ requirement }) => requirement)

const groupings: Record<ListFormat['layout'], (results: ChangedResult[]) => Group[]> = {
  failures: () => [],
  ids: (results) => [{ ids: idsOf(results), details: [] }],
  reasons: (results) =>
    groupByReason(results).map(({ reason, results }) => ({
      ids: idsOf(results),
      details: [reason],
      tally: tallyOf(results),
    })),
}

function listSections({ requirements }: Comparison): Section[] {
  const { stillFailing, deviatingOtherwise } = requirements
  const isOtherwise = ({ actualBefore }: ChangedResult) => actualBefore !== undefined
  const shown = {
    ...requirements,
    // What failed twice is shown by whether it failed in the same way.
    stillFailing: stillFailing.filter((result) => !isOtherwise(result)),
    deviatingOtherwise: [...stillFailing.filter(isOtherwise), ...deviatingOtherwise],
  }
  return listNames.map((name): Section => {
    const { layout, folded, ...format }: ListFormat = lists[name]
    const results = shown[name]
    return {
      ...format,
      folded: folded === true,
      count: results.length,
      phrase: `${results.length} ${format.title.toLowerCase()}`,
      failures: layout === 'failures' ? results : [],
      groups: groupings[layout](results),
    }
  })
}

/** Puts together what changed in the same way, the largest group first. */
function groupedObservations(changed: Comparison['observations']['changed']): Group[] {
  const groups = new Map<string, Group>()
  for (const { id, differences } of changed) {
    const details = differences.map(differenceText)
    const key = JSON.stringify(details)
    const group = groups.get(key) ?? { ids: [], details }
    group.ids.push(id)
    groups.set(key, group)
  }
  return [...groups.values()].sort((one, other) => other.ids.length - one.ids.length)
}

/** `median 12 ms → 340 ms (27 and 27 requests)` */
function timingGroup(timing: Comparison['timings']['slower'][number]): Group {
  const { service, endpoint, before, after } = timing
  const medians = `median ${durationText(before.medianMs)} → ${durationText(after.medianMs)}`
  return {
    ids: [`${service} ${endpoint}`],
    details: [`${medians} (${before.samples} and ${after.samples} requests)`],
  }
}

/** What never makes a deployment worse. */
function otherSections({ requirements, observations, timings }: Comparison): Section[] {
  const { changed, appeared, disappeared } = observations
  const slower = timings.slower.map(timingGroup)
  const section = (title: string, groups: Group[], phrase?: string, folded = true): Section => {
    const count = groups.reduce((sum, { ids }) => sum + ids.length, 0)
    return { title, count, tone: 'plain', folded, phrase, failures: [], groups }
  }
  const idsAlone = (some: readonly { id: string }[]) => [
    { ids: some.map(({ id }) => id), details: [] },
  ]
  const statements = requirements.changedStatements.map(({ requirement, part, before, after }) => ({
    ids: [requirement],
    details: [`${part} before: ${before}`, `${part} after: ${after}`],
  }))
  const observationsChanged = `${counted(changed.length, 'observation', 'observations')} changed`
  const endpointsSlower = `${counted(slower.length, 'endpoint', 'endpoints')} slower`
  return [
    section('Requirements that read differently', statements),
    section('Observations that changed', groupedObservations(changed), observationsChanged),
    section('Observed after only', idsAlone(appeared)),
    section('Observed before only', idsAlone(disappeared)),
    section('Slower endpoints', slower, endpointsSlower, false),
    section('Faster endpoints', timings.faster.map(timingGroup)),
  ]
}

/** Every section with something in it, what matters most first. */
export function sections(comparison: Comparison): Section[] {
  const all = [...listSections(comparison), ...otherSections(comparison)]
  return all.filter(({ count }) => count > 0)
}

/** A run in words, from text of its report as it is. */
export function comparedRunText({ run, toolVersion, counts }: Comparison['before']): string {
  const end = run.interrupted === true ? ', interrupted' : ''
  return `run ${run.id} of ${run.startedAt} (Plumbline ${toolVersion})${end}: ${verdictCountsText(counts)}`
}

/**
 * What matters of a comparison in one line: `worse: 2 newly failing; 1 mended (exit status 1)`. It
 * holds no text of the reports.
 */
export function outcomeText(comparison: Comparison): string {
  const { requirements, conditions, outcome } = comparison
  const status = comparisonStatus(comparison)
  const phrases = (decisive: boolean) =>
    sections(comparison)
      .filter((section) => (section.status === status && outcome !== 'incomparable') === decisive)
      .flatMap(({ phrase = [] }) => phrase)
  const heads = {
    worse: `worse: ${phrases(true).join(', ')}`,
    incomplete: `incomplete: ${phrases(true).join(', ')}`,
    'no worse': 'no worse: nothing is newly failing or newly without a verdict',
    incomparable:
      requirements.judgedInBoth === 0
        ? 'nothing was compared: no requirement was judged in both reports'
        : 'not comparable: one of the runs probed the embedded deployment, and the other did not',
  }
  const differing = conditions.length > 0 ? ['the runs differ in more than the server'] : []
  const rest = [...phrases(false), ...differing].join(', ')
  return `${heads[outcome]}${rest === '' ? '' : `; ${rest}`} (exit status ${status})`
}
