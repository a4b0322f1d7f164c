import { abbreviatedIds, counted } from '../../reports/format.ts'
import { groupByReason } from '../../reports/reason-text.ts'
import { changeTitles, stateLabels } from '../../reports/run-changes.ts'
import { coverageText, verdictCountsText } from '../../reports/verdict-labels.ts'
import { changeSeverities, type Severity } from '../../results/changes.ts'
import { type Comparison, comparisonStatus } from './compare.ts'
import { differenceText } from './observation-diff.ts'
import { type ChangedResult, type List, listNames } from './requirements.ts'

interface ListFormat {
  color?: 'red' | 'yellow' | 'green'
  layout: 'failures' | 'reasons' | 'ids'
  /** True if Markdown folds it. */
  folded?: boolean
}

const failing = { color: 'red', layout: 'failures' } as const
const deviating = { color: 'yellow', layout: 'failures' } as const
const noVerdict = { color: 'yellow', layout: 'reasons' } as const
const folded = { layout: 'ids', folded: true } as const

const formats: Record<List, ListFormat> = {
  regressions: failing,
  failingWithoutVerdictBefore: failing,
  noLongerAdvisory: failing,
  lostVerdicts: noVerdict,
  notRun: noVerdict,
  changedDeviations: deviating,
  noLongerWaived: failing,
  newDeviations: deviating,
  stillFailing: { ...folded, color: 'red' },
  fixed: { ...folded, color: 'green' },
  newlyAccepted: folded,
  partialPasses: { ...noVerdict, folded: true },
  newVerdicts: folded,
  notComparable: folded,
  addedRequirements: folded,
  removedRequirements: folded,
}

const outcomes: Partial<Record<Severity, Comparison['outcome']>> = {
  worse: 'worse',
  incomplete: 'incomplete',
  notable: 'no worse',
}

/** One change, or several with the same reason. Texts are not escaped. */
export interface ComparisonItem {
  /** Text of a single requirement, or the reason that several share. */
  title?: string
  /** Ids; of many, the sections that they share. */
  names: string
  details: { label?: string; text: string }[]
}

/** ComparisonSection of a comparison, the same in every format. */
export interface ComparisonSection extends Omit<ListFormat, 'layout'> {
  title: string
  outcome?: Comparison['outcome'] | undefined
  count: number
  /** Text for the outcome line; absent if it is not counted there. */
  phrase?: string | undefined
  items: ComparisonItem[]
}

export const runDifferencesTitle = 'Differences between the runs'

const MAX_LISTED_IDS = 8
const MAX_DETAILS = 12

function namesOf(ids: readonly string[]): string {
  return ids.length > MAX_LISTED_IDS ? abbreviatedIds(ids) : ids.join(', ')
}

function requirementNames(results: readonly ChangedResult[]): string {
  return namesOf(results.map(({ requirement }) => requirement))
}

function failureItem(result: ChangedResult): ComparisonItem {
  const { before, after, expected, actual, actualBefore, reason, requirement, statement } = result
  const previous = actualBefore === undefined ? '' : `: ${actualBefore}`
  const details = Object.entries({
    before: `${stateLabels[before]}${previous}`,
    after: after === 'fail' ? undefined : stateLabels[after],
    expected,
    actual,
    reason: expected === undefined && actual === undefined ? reason : undefined,
  })
  return {
    title: statement,
    names: requirement,
    details: details.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }])),
  }
}

const layouts: Record<ListFormat['layout'], (results: ChangedResult[]) => ComparisonItem[]> = {
  failures: (results) => results.map(failureItem),
  reasons: (results) =>
    groupByReason(results).map(({ reason, results }) => ({
      title: reason,
      names: requirementNames(results),
      details: [],
    })),
  ids: (results) => [{ names: requirementNames(results), details: [] }],
}

function observationItem({
  id,
  differences,
}: Comparison['observations']['changed'][number]): ComparisonItem {
  const more = differences.length - MAX_DETAILS
  const texts = differences.slice(0, MAX_DETAILS).map(differenceText)
  if (more > 0) texts.push(`and ${more} more differences`)
  return { names: id, details: texts.map((text) => ({ text })) }
}

/** Returns the sections that are not empty, most important first. */
export function sections({
  requirements,
  observations,
  conditions,
}: Comparison): ComparisonSection[] {
  const { changed, appeared, disappeared } = observations
  const idsOf = (some: readonly { id: string }[]): ComparisonItem[] => [
    { names: namesOf(some.map(({ id }) => id)), details: [] },
  ]
  const reworded = requirements.changedStatements.map((each): ComparisonItem => {
    const texts = [`${each.part} before: ${each.before}`, `${each.part} after: ${each.after}`]
    return { names: each.requirement, details: texts.map((text) => ({ text })) }
  })
  const differing = conditions.map(({ text }): ComparisonItem => ({ names: text, details: [] }))
  const section = (
    title: string,
    items: ComparisonItem[],
    phrase?: string,
    count = items.length,
  ) => {
    return { title, folded: true, count, items, phrase: phrase && `${count} ${phrase}` }
  }
  const all: ComparisonSection[] = [
    ...listNames.map((name) => {
      const { layout, ...format } = formats[name]
      const [title, results] = [changeTitles[name], requirements[name]]
      const phrase = `${results.length} ${title.toLowerCase()}`
      const outcome = outcomes[changeSeverities[name]]
      const items = layouts[layout](results)
      return { title, outcome, ...format, phrase, count: results.length, items }
    }),
    section('Reworded requirements', reworded, 'reworded'),
    section('Changed observations', changed.map(observationItem), 'changed observations'),
    section('Observed after only', idsOf(appeared), undefined, appeared.length),
    section('Observed before only', idsOf(disappeared), undefined, disappeared.length),
    {
      ...section(runDifferencesTitle, differing),
      phrase: counted(differing.length, 'difference').concat(' between the runs'),
      color: 'yellow',
      folded: false,
    },
  ]
  return all.filter(({ count }) => count > 0)
}

/** Describes a run. Text of its report is not escaped. */
export function comparedRunText({
  run,
  toolVersion,
  counts,
  coverage,
}: Comparison['before']): string {
  const judged = `${coverageText(coverage)} judged`
  return `run ${run.id} of ${run.startedAt} (Plumbline ${toolVersion}): ${verdictCountsText(counts)}; ${judged}`
}

/** Formats the outcome line, without text of the reports: `worse: 2 newly failing; 1 fixed (exit status 1)`. */
export function outcomeText(comparison: Comparison): string {
  const { requirements, outcome, before, after, coverageDropped } = comparison
  const phrases = (decisive: boolean) =>
    sections(comparison)
      .filter((section) => (section.outcome === outcome) === decisive)
      .flatMap(({ phrase = [] }) => phrase)
      .join(', ')
  const but = phrases(true) === '' ? '' : `, but ${phrases(true)}`
  const heads = {
    worse: `worse: ${phrases(true)}`,
    incomplete: `incomplete: ${phrases(true)}`,
    'no worse': `no worse${but}: no regression, and no lost verdict`,
    incomparable:
      requirements.judgedInBoth === 0
        ? 'nothing was compared: no requirement was judged in both reports'
        : 'not comparable: one of the runs probed the reference server, and the other did not',
  }
  const fell = `coverage dropped from ${coverageText(before.coverage)} to ${coverageText(after.coverage)}`
  const rest = [phrases(false), coverageDropped ? fell : ''].filter(Boolean).join('; ')
  const status = comparisonStatus(comparison)
  return `${heads[outcome]}${rest === '' ? '' : `; ${rest}`} (exit status ${status})`
}
