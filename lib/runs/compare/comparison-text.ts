import { codeSpan, markdownDocument, plainText } from '../../reports/markdown.ts'
import { firstTexts, groupByReason } from '../../reports/reason-text.ts'
import { abbreviatedIds } from '../../reports/report-text.ts'
import { changeTitle, stateLabels } from '../../reports/run-changes.ts'
import { lineRows, type TerminalLine } from '../../reports/terminal-sections.ts'
import { labelled, terminalStyle } from '../../reports/terminal-style.ts'
import { coverageText, statusStyles, verdictCountsText } from '../../reports/verdict-labels.ts'
import { changeSeverities } from '../../results/changes.ts'
import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  truncate,
} from '../../text/printable.ts'
import { counted } from '../../text/quantities.ts'
import {
  type ChangedResult,
  type ComparedRun,
  type Comparison,
  type ComparisonOutcome,
  comparisonStatus,
  type List,
  listNames,
} from './compare.ts'
import { differenceText } from './observation-diff.ts'

/** A change, or several with the same reason. Texts are not escaped. */
interface Item {
  /** Text of a single requirement, or the reason that several share. */
  title?: string
  /** Ids; of many, the sections that they share. */
  names: string
  details?: { label?: string; text: string }[]
}

interface SectionFormat {
  color?: 'red' | 'yellow' | 'green'
  /** True if Markdown folds it. */
  folded?: boolean
}

/** Section of a comparison, the same in every format. */
interface Section extends SectionFormat {
  title: string
  items: Item[]
  count: number
  /** Outcome that it explains, if any. */
  outcome?: ComparisonOutcome | undefined
  /** Text for the outcome line; absent if it is not counted there. */
  phrase?: string
}

const MAX_LISTED_IDS = 8
const MAX_DETAILS = 12

function namesOf(ids: readonly string[]): string {
  return ids.length > MAX_LISTED_IDS ? abbreviatedIds(ids) : ids.join(', ')
}

function requirementNames(results: readonly ChangedResult[]): string {
  return namesOf(results.map(({ requirement }) => requirement))
}

const caseLabels = {
  newlyFailing: 'newly deviating',
  different: 'deviating differently',
  unknownBefore: 'deviating, and not judged before',
  lost: 'no longer judged',
}

/** Returns texts on the cases of a requirement: the first cases of each kind, and how many conform now. */
function caseDetails({ cases = {} }: ChangedResult): { label: string; text: string }[] {
  const { fixed = [], stillFailing = [], different = [], lost = [] } = cases
  const before = [fixed, stillFailing, different, lost].flat().length
  const texts = Object.entries(caseLabels).flatMap(([name, label]) => {
    const ids = cases[name as keyof typeof caseLabels]
    return ids === undefined ? [] : [`${ids.length} ${label}: ${firstTexts(ids)}`]
  })
  const isPartlyFixed = fixed.length > 0 && fixed.length < before
  const now = `${fixed.length} of ${counted(before, 'case')} conform now`
  return [...texts, ...(isPartlyFixed ? [now] : [])].map((text) => ({ label: 'cases', text }))
}

function failureItem(result: ChangedResult): Item {
  const { before, after, expected, actual, actualBefore, reason, requirement, statement } = result
  // The reason of a pass is only about cases that were not judged.
  const hasReason = after !== 'pass' || result.cases?.lost !== undefined
  const isDescribed = expected !== undefined || actual !== undefined
  const details = Object.entries({
    before: `${stateLabels[before]}${actualBefore === undefined ? '' : `: ${actualBefore}`}`,
    after: after === 'fail' ? undefined : stateLabels[after],
    expected,
    actual,
    reason: hasReason && !isDescribed ? reason : undefined,
  })
  return {
    title: statement,
    names: requirement,
    details: [
      ...details.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }])),
      ...caseDetails(result),
    ],
  }
}

type Layout = (results: ChangedResult[]) => Item[]

const failures: Layout = (results) => results.map(failureItem)
const reasons: Layout = (results) =>
  groupByReason(results).map(({ reason, results }) => {
    return { title: reason, names: requirementNames(results) }
  })
const ids: Layout = (results) => [{ names: requirementNames(results) }]
const still: Layout = (results) => {
  const items = results.map((result) => {
    return { result, names: result.requirement, details: caseDetails(result) }
  })
  const same = items.filter(({ details }) => details.length === 0).map(({ result }) => result)
  const others = items.filter(({ details }) => details.length > 0)
  return [...(same.length > 0 ? ids(same) : []), ...others]
}
const lost: Layout = (results) => {
  const isPass = ({ after }: ChangedResult) => after === 'pass'
  const rest = results.filter((one) => !isPass(one))
  return [...results.filter(isPass).map(failureItem), ...reasons(rest)]
}

const failing = [failures, { color: 'red' }] as const
const deviating = [failures, { color: 'yellow' }] as const
const folded = [ids, { folded: true }] as const

const formats: Record<List, readonly [Layout, SectionFormat]> = {
  regressions: failing,
  failingWithoutVerdictBefore: failing,
  noLongerAdvisory: failing,
  lostVerdicts: [lost, { color: 'yellow' }],
  notRun: [reasons, { color: 'yellow' }],
  changedDeviations: deviating,
  noLongerWaived: failing,
  newDeviations: deviating,
  stillFailing: [still, { folded: true, color: 'red' }],
  fixed: [failures, { folded: true, color: 'green' }],
  newlyAccepted: folded,
  newVerdicts: folded,
  notComparable: folded,
  addedRequirements: folded,
  removedRequirements: folded,
}

const outcomes = {
  worse: 'worse',
  incomplete: 'incomplete',
  notable: 'no worse',
  better: undefined,
  neutral: undefined,
} as const

function observationItem({ id, differences }: Comparison['observations']['changed'][number]): Item {
  const more = differences.length - MAX_DETAILS
  const texts = differences.slice(0, MAX_DETAILS).map(differenceText)
  if (more > 0) texts.push(`and ${more} more differences`)
  return { names: id, details: texts.map((text) => ({ text })) }
}

const runDifferencesTitle = 'Differences between the runs'

/** Returns the sections that are not empty, most important first. */
function sections({ requirements, observations, conditions }: Comparison): Section[] {
  const { changed, appeared, disappeared } = observations
  const lists = listNames.map((list): Section => {
    const [layout, format] = formats[list]
    const results = requirements[list]
    const [title, count] = [
      changeTitle(
        list,
        results.map(({ after }) => after),
      ),
      results.length,
    ]
    const phrase = `${count} ${title.toLowerCase()}`
    const outcome = outcomes[changeSeverities[list]]
    return { title, items: layout(results), count, ...format, outcome, phrase }
  })
  const reworded = requirements.changedStatements.map(
    ({ requirement, part, before, after }): Item => {
      const texts = [`${part} before: ${before}`, `${part} after: ${after}`]
      return { names: requirement, details: texts.map((text) => ({ text })) }
    },
  )
  const observed = (title: string, some: readonly { id: string }[]): Section => {
    const items = [{ names: namesOf(some.map(({ id }) => id)) }]
    return { title, items, count: some.length, folded: true }
  }
  const listed = (title: string, items: Item[], phrase: string): Section => {
    return { title, items, count: items.length, folded: true, phrase: `${items.length} ${phrase}` }
  }
  const { lostCases } = requirements
  const lostCount = lostCases.reduce((sum, { cases }) => sum + cases.length, 0)
  const differing = conditions.map(({ text }): Item => ({ names: text }))
  const all: Section[] = [
    ...lists,
    {
      title: 'Cases that conformed before and are no longer judged',
      items: lostCases.map(({ reason = 'not planned in the run after', cases }) => {
        return { title: reason, names: firstTexts(cases) }
      }),
      count: lostCount,
      folded: true,
      phrase: `${counted(lostCount, 'conforming case')} no longer judged`,
    },
    listed('Reworded requirements', reworded, 'reworded'),
    listed('Changed observations', changed.map(observationItem), 'changed observations'),
    observed('Observed after only', appeared),
    observed('Observed before only', disappeared),
    {
      title: runDifferencesTitle,
      items: differing,
      count: differing.length,
      color: 'yellow',
      phrase: `${counted(differing.length, 'difference')} between the runs`,
    },
  ]
  return all.filter(({ count }) => count > 0)
}

/** Describes a run. Text of its report is not escaped. */
function comparedRunText({ run, toolVersion, counts, coverage }: ComparedRun): string {
  const judged = `${coverageText(coverage)} judged`
  return `run ${run.id} of ${run.startedAt} (Plumbline ${toolVersion}): ${verdictCountsText(counts)}; ${judged}`
}

/** Formats the outcome line, without text of the reports: `worse: 2 newly failing; 1 fixed (exit status 1)`. */
function outcomeText(comparison: Comparison): string {
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
        : 'not comparable: only one run probed the reference server',
  }
  const [was, is] = [before, after].map(({ target }) => Object.keys(target).sort().join())
  const fell =
    was === is
      ? `coverage dropped from ${coverageText(before.coverage)} to ${coverageText(after.coverage)}`
      : 'the coverage of the services in both runs dropped'
  const parts = [heads[outcome], phrases(false), coverageDropped ? fell : '']
  return `${parts.filter(Boolean).join('; ')} (exit status ${comparisonStatus(comparison)})`
}

const indent = ' '.repeat(5)
const labelColors: Record<string, 'green' | 'red'> = { expected: 'green', actual: 'red' }

function itemLines({ title, names, details = [] }: Item, index: number): TerminalLine[] {
  const value = (text: string) => printableText(excerpt(text, { characters: 600, lines: 8 }))
  // Failures have details and a number.
  const first = details.length === 0 ? '  ' : `${index + 1}. `.padStart(indent.length)
  return [
    ...(title === undefined ? [] : (['', [first, value(title), 'bold']] as const)),
    [title === undefined ? '  ' : indent, printableSentence(names)],
    ...details.map(({ label, text }): TerminalLine => {
      if (label === undefined) return [indent, value(text), 'dim']
      return [labelled(indent, label), value(text), labelColors[label]]
    }),
  ]
}

/** Formats a comparison for a terminal, most important last. Text of the reports is escaped. */
export function comparisonText(
  comparison: Comparison,
  options: { color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const { before, after } = comparison
  const { color } = statusStyles[comparisonStatus(comparison)]
  const lines: TerminalLine[] = [
    ...Object.entries({ before, after }).flatMap(([name, run]): TerminalLine[] => [
      [`${name.padEnd(7)} `, printableLine(run.file), 'bold'],
      [' '.repeat(8), printableSentence(comparedRunText(run))],
    ]),
    ...sections(comparison)
      .reverse()
      .flatMap(({ title, count, color, items }): TerminalLine[] => [
        '',
        ['', `${title} (${count})`, color ?? 'bold'],
        ...items.flatMap(itemLines),
      ]),
    '',
    // Not wrapped, so that the last line is complete.
    style.colors[color](outcomeText(comparison)),
  ]
  return `${lineRows(lines, style).join('\n')}\n`
}

function markdownItem({ title, names, details = [] }: Item): string {
  const titleText = title === undefined ? '' : `: ${plainText(truncate(title, 300))}`
  const rows = details.map(({ label, text }) => {
    return `  - ${label === undefined ? '' : `${label}: `}${codeSpan(text, 400)}`
  })
  return [`- ${codeSpan(names, 2000)}${titleText}`, ...rows].join('\n')
}

/** Formats a comparison as Markdown of at most 60,000 characters. Text of the reports is escaped. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after } = comparison
  const runs = Object.entries({ before, after }).map(
    ([name, run]) =>
      `- ${name}: ${codeSpan(run.file, 300)}, ${codeSpan(comparedRunText(run), 300)}`,
  )
  const all = sections(comparison).map(({ title, count, folded = false, items }) => {
    return { title, count, folded, head: [], rows: items.map(markdownItem) }
  })
  // Differences between the runs explain changes of verdicts.
  const place = ({ title, folded }: (typeof all)[number]) =>
    title === runDifferencesTitle ? -1 : Number(folded)
  const { mark } = statusStyles[comparisonStatus(comparison)]
  return markdownDocument(
    [`## ${mark} ${plainText(outcomeText(comparison))}`, '', ...runs, ''],
    all.sort((one, other) => place(one) - place(other)),
    'with `--format json`',
  )
}
