import { counted, durationText } from '../reports/run-words.ts'
import { verdictCountsText, verdictWords } from '../reports/verdict-counts.ts'
import {
  type ChangedObservation,
  type ComparedRun,
  type Comparison,
  comparisonStatus,
} from './compare.ts'
import { differenceText } from './observation-diff.ts'
import type { ChangedTiming } from './timings.ts'
import {
  type ChangedResult,
  type List,
  type ListFormat,
  listNames,
  lists,
  type Standing,
  type Tone,
  type VerdictComparison,
} from './transitions.ts'

/** Things with the same details, in sentences without full stops. */
export interface Details {
  names: string[]
  details: string[]
}

/** A part of a comparison as every text of it has it. */
export interface Section {
  title: string
  count: number
  tone: Tone
  /** Whether Markdown folds it until a reader opens it. */
  folded: boolean
  /** For the line of the outcome; absent where it is not counted there. */
  phrase?: string
  /** Of the whole comparison because of it. */
  status?: 1 | 3
  content:
    | { layout: 'failures' | 'reasons'; results: ChangedResult[] }
    | { layout: 'ids'; ids: string[] }
    | { layout: 'details'; of: string; groups: Details[] }
}

const otherStandings = {
  absent: 'not a requirement of Plumbline then',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
} as const

/** What a report has of a requirement: `passed`, `not selected`. */
export function standingText(standing: Standing): string {
  return { ...verdictWords, ...otherStandings }[standing]
}

function withReasonNotLookedAt(result: ChangedResult): ChangedResult {
  const reason =
    result.after === 'absent'
      ? 'not in the report, although the version of Plumbline is the same'
      : standingText(result.after)
  return { ...result, reason }
}

/** What failed twice is shown by whether it failed in the same way. */
function resultsOf(list: List, requirements: VerdictComparison): ChangedResult[] {
  const { stillFailing } = requirements
  const isOtherwise = ({ actualBefore }: ChangedResult) => actualBefore !== undefined
  switch (list) {
    case 'stillFailing':
      return stillFailing.filter((result) => !isOtherwise(result))
    case 'deviatingOtherwise':
      return [...stillFailing.filter(isOtherwise), ...requirements.deviatingOtherwise]
    case 'notLookedAt':
      return requirements.notLookedAt.map(withReasonNotLookedAt)
    default:
      return requirements[list]
  }
}

function listSection(list: List, requirements: VerdictComparison): Section {
  const { layout, phrase, folded, ...format }: ListFormat = lists[list]
  const results = resultsOf(list, requirements)
  const [one, many] = typeof phrase === 'string' ? [phrase, phrase] : (phrase ?? [])
  return {
    ...format,
    folded: folded === true,
    count: results.length,
    ...(one === undefined || many === undefined
      ? {}
      : { phrase: counted(results.length, one, many) }),
    content:
      layout === 'ids'
        ? { layout, ids: results.map(({ requirement }) => requirement) }
        : { layout, results },
  }
}

/** Puts together what changed in the same way, the largest group first. */
export function groupedObservations(changed: readonly ChangedObservation[]): Details[] {
  const groups = new Map<string, Details>()
  for (const { id, differences } of changed) {
    const details = differences.map(differenceText)
    const key = JSON.stringify(details)
    const names = groups.get(key)?.names ?? []
    groups.set(key, { names: [...names, id], details })
  }
  return [...groups.values()].sort((one, other) => other.names.length - one.names.length)
}

/** `median 12 ms → 340 ms (27 and 27 requests)` */
function timingText({ before, after }: ChangedTiming): string {
  return (
    `median ${durationText(before.medianMs)} → ${durationText(after.medianMs)} ` +
    `(${before.samples} and ${after.samples} requests)`
  )
}

function timingGroups(timings: readonly ChangedTiming[]): Details[] {
  return timings.map((timing) => ({
    names: [`${timing.service} ${timing.endpoint}`],
    details: [timingText(timing)],
  }))
}

/** What never makes a deployment worse. */
function otherSections({ requirements, observations, timings }: Comparison): Section[] {
  const { changed, appeared, disappeared } = observations
  const { changedStatements } = requirements
  const { slower, faster } = timings
  const section = (
    title: string,
    count: number,
    content: Section['content'],
    phrase?: string,
    folded = true,
  ): Section => ({
    title,
    count,
    tone: 'plain',
    folded,
    content,
    ...(phrase === undefined ? {} : { phrase }),
  })
  const details = (of: string, groups: Details[]) => ({ layout: 'details', of, groups }) as const
  const ids = (some: readonly { id: string }[]) =>
    ({ layout: 'ids', ids: some.map(({ id }) => id) }) as const
  const statements = changedStatements.map(({ requirement, part, before, after }) => ({
    names: [requirement],
    details: [`${part} before: ${before}`, `${part} after: ${after}`],
  }))
  return [
    section(
      'Requirements that read differently',
      changedStatements.length,
      details('Requirement', statements),
    ),
    section(
      'Observations that changed',
      changed.length,
      details('Observations', groupedObservations(changed)),
      `${counted(changed.length, 'observation', 'observations')} changed`,
    ),
    section('Observed after only', appeared.length, ids(appeared)),
    section('Observed before only', disappeared.length, ids(disappeared)),
    section(
      'Slower endpoints',
      slower.length,
      details('Endpoint', timingGroups(slower)),
      `${counted(slower.length, 'endpoint', 'endpoints')} slower`,
      false,
    ),
    section('Faster endpoints', faster.length, details('Endpoint', timingGroups(faster))),
  ]
}

/** Every section with something in it, what matters most first. */
export function sections(comparison: Comparison): Section[] {
  return [
    ...listNames.map((list) => listSection(list, comparison.requirements)),
    ...otherSections(comparison),
  ].filter(({ count }) => count > 0)
}

/** A run in words, from text of its report as it is. */
export function comparedRunText({ run, toolVersion, counts }: ComparedRun): string {
  const end = run.interrupted === true ? ', interrupted' : ''
  return `run ${run.id} of ${run.startedAt} (Plumbline ${toolVersion})${end}: ${verdictCountsText(counts)}`
}

/**
 * What matters of a comparison in one line: `worse: 2 newly failing; 1 mended (exit status 1)`. It
 * holds no text of the reports.
 */
export function outcomeText(comparison: Comparison): string {
  const { requirements, conditions, outcome } = comparison
  const phrases = (some: readonly Section[]) =>
    some.flatMap(({ phrase }) => (phrase === undefined ? [] : [phrase])).join(', ')
  const all = sections(comparison)
  const status = comparisonStatus(comparison)
  const isDecisive = (section: Section) =>
    section.status === status && (outcome === 'worse' || outcome === 'incomplete')
  const heads = {
    worse: `worse: ${phrases(all.filter(isDecisive))}`,
    incomplete: `incomplete: ${phrases(all.filter(isDecisive))}`,
    'no worse': 'no worse: nothing is newly failing or newly without a verdict',
    incomparable:
      requirements.judgedInBoth === 0
        ? 'nothing was compared: no requirement was judged in both reports'
        : 'not comparable: one of the runs probed the embedded deployment, and the other did not',
  }
  const rest = [
    phrases(all.filter((section) => !isDecisive(section))),
    conditions.length > 0 ? 'the runs differ in more than the server' : '',
  ].filter((text) => text !== '')
  const parts = [heads[outcome], ...(rest.length === 0 ? [] : [rest.join(', ')])]
  return `${parts.join('; ')} (exit status ${status})`
}
