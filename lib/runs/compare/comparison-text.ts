import type { Entry, Section, Text } from '../../reports/document.ts'
import { markdownDocument, markdownText } from '../../reports/markdown.ts'
import { groupByReason } from '../../reports/reason-groups.ts'
import { abbreviatedIds } from '../../reports/report-text.ts'
import { firstTexts } from '../../reports/result-text.ts'
import {
  lineRows,
  sectionLines,
  type TerminalLine,
  terminalStyle,
} from '../../reports/terminal-document.ts'
import {
  coverageText,
  stateLabel,
  statusStyles,
  verdictCountsText,
} from '../../reports/verdict-labels.ts'
import { type ChangeKind, changeKinds } from '../../results/changes.ts'
import { counted } from '../../text/quantities.ts'
import {
  type ChangedResult,
  type ComparedRun,
  type Comparison,
  comparisonStatus,
  isNotRun,
} from './compare.ts'

interface ComparedSection extends Section {
  count: number
  /** True if it explains the outcome. */
  isReason?: boolean
  /** Text for the outcome line; absent if it is not counted there. */
  phrase?: string
}

const MAX_LISTED_IDS = 8

/** Returns ids; of many, the sections that they share. */
function namesOf(ids: readonly string[]): Text {
  return { code: ids.length > MAX_LISTED_IDS ? abbreviatedIds(ids) : ids.join(', ') }
}

function requirementNames(results: readonly ChangedResult[]): Text {
  return namesOf(results.map(({ requirement }) => requirement))
}

const caseLabels = {
  newlyFailing: 'newly deviating',
  failsDifferently: 'deviating differently',
  noLongerJudged: 'no longer judged',
}

/** Returns texts on the cases of a requirement: the first cases of each kind, and how many conform now. */
function caseDetails({ cases = {} }: ChangedResult): { label: string; text: Text }[] {
  const { fixed = [], ...others } = cases
  const texts = Object.entries(caseLabels).flatMap(([name, label]) => {
    const ids = cases[name as ChangeKind]
    return ids === undefined ? [] : [`${ids.length} ${label}: ${firstTexts(ids)}`]
  })
  const isPartlyFixed = fixed.length > 0 && Object.keys(others).length > 0
  const now = `${counted(fixed.length, 'case conforms', 'cases conform')} now`
  return [...texts, ...(isPartlyFixed ? [now] : [])].map((code) => {
    return { label: 'cases', text: { code } }
  })
}

function failureEntry(result: ChangedResult): Entry {
  const { before, after, expected, actual, actualBefore, reason, requirement, statement } = result
  const isDescribed = expected !== undefined || actual !== undefined
  const details = Object.entries({
    before: `${stateLabel(before)}${actualBefore === undefined ? '' : `: ${actualBefore}`}`,
    after: after === 'fail' ? undefined : stateLabel(after),
    expected,
    actual,
    reason: after !== 'pass' && !isDescribed ? reason : undefined,
  }).map(([label, code]) => ({ label, text: code === undefined ? code : { code } }))
  const name = { ids: [requirement] }
  return { title: statement, name, details: [...details, ...caseDetails(result)] }
}

type Layout = (results: ChangedResult[]) => Entry[]

const failures: Layout = (results) => results.map(failureEntry)
const reasons: Layout = (results) =>
  groupByReason(results).map(({ reason, results }) => {
    return { name: { code: reason }, details: [{ text: requirementNames(results) }] }
  })
const ids: Layout = (results) => [{ name: requirementNames(results) }]

const formats: Record<
  ChangeKind,
  readonly [title: string, Layout, Pick<Section, 'color' | 'folded'>]
> = {
  newlyFailing: ['Newly failing', failures, { color: 'red' }],
  noLongerJudged: ['No longer judged', reasons, { color: 'yellow' }],
  failsDifferently: ['Failing differently', failures, { color: 'yellow' }],
  fixed: ['Fixed', failures, { folded: true, color: 'green' }],
  same: ['Still failing', ids, { folded: true, color: 'red' }],
}

const runDifferencesTitle = 'Differences between the runs'

/** Returns true for a list that explains the outcome. */
function isDecisive(kind: ChangeKind, { outcome, requirements }: Comparison): boolean {
  if (outcome === 'incomplete') return kind === 'noLongerJudged'
  if (outcome !== 'worse') return outcome === 'no worse' && kind === 'failsDifferently'
  const isLost = !requirements.noLongerJudged.every(isNotRun)
  return kind === 'newlyFailing' || (kind === 'noLongerJudged' && isLost)
}

/** Returns the sections that are not empty, most important first. */
function comparisonSections(comparison: Comparison): ComparedSection[] {
  const { requirements, observations, conditions } = comparison
  const lists = changeKinds.map((kind): ComparedSection => {
    const [title, layout, format] = formats[kind]
    const results = requirements[kind]
    const count = results.length
    const phrase = `${count} ${title.toLowerCase()}`
    const isReason = isDecisive(kind, comparison)
    return { title, entries: layout(results), count, ...format, isReason, phrase }
  })
  const observed = (title: string, some: readonly { id: string }[]): ComparedSection => {
    const entries = [{ name: namesOf(some.map(({ id }) => id)) }]
    return { title, entries, count: some.length, folded: true }
  }
  const all: ComparedSection[] = [
    ...lists,
    {
      title: 'Changed observations',
      entries: observations.changed.map(({ id, before, after }) => {
        const text = [before, after].map((value) => JSON.stringify(value)).join(' → ')
        return { name: { ids: [id] }, details: [{ text: { code: text } }] }
      }),
      count: observations.changed.length,
      folded: true,
      phrase: counted(observations.changed.length, 'changed observation'),
    },
    observed('Observed after only', observations.appeared),
    observed('Observed before only', observations.disappeared),
    {
      title: runDifferencesTitle,
      entries: conditions.map((text) => ({ name: { code: text } })),
      count: conditions.length,
      color: 'yellow',
      phrase: `${counted(conditions.length, 'difference')} between the runs`,
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
  const { requirements, outcome } = comparison
  const phrases = (decisive: boolean) =>
    comparisonSections(comparison)
      .filter(({ isReason = false }) => isReason === decisive)
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
  const parts = [heads[outcome], phrases(false)]
  return `${parts.filter(Boolean).join('; ')} (exit status ${comparisonStatus(comparison)})`
}

/** Formats a comparison for a terminal, most important last. */
export function comparisonText(
  comparison: Comparison,
  options: { color: boolean; width: number },
): string {
  const { before, after } = comparison
  const { color } = statusStyles[comparisonStatus(comparison)]
  const lines: TerminalLine[] = [
    ...Object.entries({ before, after }).flatMap(([name, run]): TerminalLine[] => [
      [`${name.padEnd(7)} `, run.file, 'bold'],
      [' '.repeat(8), comparedRunText(run)],
    ]),
    ...comparisonSections(comparison)
      .reverse()
      .flatMap((section) => sectionLines(section)),
    '',
    // Not wrapped, so that the last line is complete.
    { row: outcomeText(comparison), color },
  ]
  return `${lineRows(lines, terminalStyle(options)).join('\n')}\n`
}

/** Formats a comparison as Markdown of at most 60,000 characters. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after } = comparison
  const runs = Object.entries({ before, after }).map(([name, run]) => {
    const texts: Text = [{ code: run.file }, ', ', { code: comparedRunText(run) }]
    return `- ${name}: ${markdownText(texts)}`
  })
  const { mark } = statusStyles[comparisonStatus(comparison)]
  // Differences between the runs explain changes of verdicts.
  const isFirst = ({ title }: Section) => Number(title === runDifferencesTitle)
  return markdownDocument(
    [`## ${mark} ${markdownText(outcomeText(comparison))}`, runs.join('\n')],
    comparisonSections(comparison).sort((one, other) => isFirst(other) - isFirst(one)),
    'with `--format json`',
  )
}
