import type { Entry, Section, Text } from '../../reports/facts.ts'
import { markdownDocument, markdownText } from '../../reports/markdown.ts'
import { groupByReason } from '../../reports/reasons.ts'
import { abbreviatedIds, firstTexts } from '../../reports/report-text.ts'
import {
  lineRows,
  sectionLines,
  type TerminalLine,
  type TerminalStyle,
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
} from './compare.ts'

interface ComparedSection extends Section {
  /** Text for the outcome line; absent if it is not counted there. */
  phrase?: string
}

const MAX_LISTED_IDS = 8

/** Returns ids; of many, the sections that they share. */
function idsOf(results: readonly ChangedResult[]): Text {
  const ids = results.map(({ requirement }) => requirement)
  return { code: ids.length > MAX_LISTED_IDS ? abbreviatedIds(ids) : ids.join(', ') }
}

/** Returns the number and the first cases of each kind of change for the worse. */
function caseTexts({ cases }: ChangedResult): string[] {
  const labels = {
    newlyFailing: 'newly deviating',
    failsDifferently: 'deviating differently',
    noLongerJudged: 'no longer judged',
  }
  return Object.entries(labels).flatMap(([name, label]) => {
    const ids = cases?.[name as keyof typeof labels]
    return ids === undefined ? [] : `${ids.length} ${label}: ${firstTexts(ids)}`
  })
}

function failureEntry(result: ChangedResult): Entry {
  const { before, after, expected, actual, actualBefore, reason, requirement, statement } = result
  const isDescribed = expected !== undefined || actual !== undefined
  const texts: [label: string, text: string | undefined][] = [
    ['before', `${stateLabel(before)}${actualBefore === undefined ? '' : `: ${actualBefore}`}`],
    ['after', after === 'fail' ? undefined : stateLabel(after)],
    ['expected', expected],
    ['actual', actual],
    ['reason', after !== 'pass' && !isDescribed ? reason : undefined],
    ...caseTexts(result).map((text): [string, string] => ['cases', text]),
  ]
  const details = texts.flatMap(([label, code]) =>
    code === undefined ? [] : { label, text: { code } },
  )
  return { title: statement, name: { ids: [requirement] }, details }
}

type Layout = (results: ChangedResult[]) => Entry[]

const failures: Layout = (results) => results.map(failureEntry)
const reasons: Layout = (results) =>
  groupByReason(results).map(({ reason, results }) => {
    return { name: { code: reason }, details: [{ text: idsOf(results) }] }
  })

const formats: Record<ChangeKind, [title: string, Layout, Pick<Section, 'color' | 'folded'>]> = {
  newlyFailing: ['Newly failing', failures, { color: 'red' }],
  noLongerJudged: ['No longer judged', reasons, { color: 'yellow' }],
  failsDifferently: ['Failing differently', failures, { color: 'yellow' }],
  fixed: ['Fixed', failures, { folded: true, color: 'green' }],
  same: ['Still failing', (all) => [{ name: idsOf(all) }], { folded: true, color: 'red' }],
}

const RUN_DIFFERENCES = 'Differences between the runs'

/** Returns the sections that are not empty, most important first. */
function comparisonSections({ requirements, ...others }: Comparison): ComparedSection[] {
  const { observations, conditions } = others
  const lists = changeKinds.map((kind): ComparedSection => {
    const [title, layout, format] = formats[kind]
    const count = requirements[kind].length
    const phrase = `${count} ${title.toLowerCase()}`
    return { title, entries: layout(requirements[kind]), count, ...format, phrase }
  })
  const all: ComparedSection[] = [
    ...lists,
    {
      title: 'Changed observations',
      entries: observations.changed.map(({ id, before, after }) => {
        const text = [before, after].map((value) => JSON.stringify(value)).join(' → ')
        return { name: { ids: [id] }, details: [{ text: { code: text } }] }
      }),
      folded: true,
      phrase: counted(observations.changed.length, 'changed observation'),
    },
    {
      title: RUN_DIFFERENCES,
      entries: conditions.map((text) => ({ name: { code: text } })),
      color: 'yellow',
      phrase: `${counted(conditions.length, 'difference')} between the runs`,
    },
  ]
  return all.filter(({ entries, count = entries.length }) => count > 0)
}

/** Describes each run by its file. Text of its report is not escaped. */
const runTexts = ({ before, after }: Comparison) =>
  Object.entries<ComparedRun>({ before, after }).map(([name, compared]) => {
    const { run, toolVersion, counts, coverage, file } = compared
    const head = `run ${run.id} of ${run.startedAt} (Plumbline ${toolVersion})`
    const text = `${head}: ${verdictCountsText(counts)}; ${coverageText(coverage)} judged`
    return { name, file, text }
  })

/** Formats the outcome line, without text of the reports: `worse: 2 newly failing, 1 fixed (exit status 1)`. */
function outcomeText(comparison: Comparison): string {
  const { requirements, outcome } = comparison
  const heads = {
    worse: 'worse',
    incomplete: 'incomplete',
    'no worse': 'no worse: no regression, and no lost verdict',
    incomparable:
      requirements.judgedInBoth === 0
        ? 'nothing was compared: no requirement was judged in both reports'
        : 'not comparable: only one run probed the reference server',
  }
  const head = heads[outcome]
  const phrases = comparisonSections(comparison).flatMap(({ phrase = [] }) => phrase)
  const counts =
    phrases.length === 0 ? '' : `${head.includes(':') ? '; ' : ': '}${phrases.join(', ')}`
  return `${head}${counts} (exit status ${comparisonStatus(comparison)})`
}

/** Formats a comparison for a terminal, most important last. */
export function comparisonText(comparison: Comparison, style: TerminalStyle) {
  const head = runTexts(comparison).flatMap(({ name, file, text }): TerminalLine[] => [
    [`${name.padEnd(7)} `, file, 'bold'],
    [' '.repeat(8), text],
  ])
  const sections = comparisonSections(comparison).reverse()
  const { color } = statusStyles[comparisonStatus(comparison)]
  // Not wrapped, so that the last line is complete.
  const end: TerminalLine[] = ['', { row: outcomeText(comparison), color }]
  const lines = [...head, ...sections.flatMap((section) => sectionLines(section)), ...end]
  return `${lineRows(lines, style).join('\n')}\n`
}

/** Formats a comparison as Markdown of at most 60,000 characters. */
export function comparisonMarkdown(comparison: Comparison): string {
  const runs = runTexts(comparison).map(
    ({ name, file, text }) => `- ${name}: ${markdownText([{ code: file }, ', ', { code: text }])}`,
  )
  const { mark } = statusStyles[comparisonStatus(comparison)]
  // Differences between the runs, which explain changes of verdicts, precede the others.
  const isOther = ({ title }: Section) => Number(title !== RUN_DIFFERENCES)
  return markdownDocument(
    [`## ${mark} ${markdownText(outcomeText(comparison))}`, runs.join('\n')],
    comparisonSections(comparison).sort((one, other) => isOther(one) - isOther(other)),
    'with `--format json`',
  )
}
