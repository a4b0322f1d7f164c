import { join } from 'node:path'
import { curlCommand } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { ObservationDiff, RequirementResult, ReviewedWaiver } from '../results/run-report.ts'
import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  truncate,
} from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import type { CaseFacts } from './case-text.ts'
import { exchangeLines, furtherTexts, inspectedParts, requestLine, statusLine } from './evidence.ts'
import type { FailureScript } from './failure-script.ts'
import { countIn, type ReportedDeviation, type ReportModel } from './model.ts'
import { lostCasesText, type ReasonGroup } from './reason-text.ts'
import {
  abbreviatedIds,
  hasEnded,
  leakedResourceText,
  narrowingText,
  placeInDocument,
  unusedWaiversText,
  waiverText,
  wordingNote,
} from './report-text.ts'
import { runCommand, shellVariablesIn, sweepAdvice } from './rerun-commands.ts'
import { hanging, heading, labelled, type TerminalStyle } from './terminal-style.ts'

const MAX_DETAILED_FAILURES = 12

const MAX_OBSERVATION_CHARS = 400

const margin = 5
const indent = ' '.repeat(margin)
const listIndent = `${indent} `

/** Text to wrap after `first`, or a complete row. */
export type TerminalLine =
  | string
  | readonly [first: string, text: string | undefined, color?: Color | undefined]
type Color = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

interface TerminalSection {
  title: string
  color?: 'red' | 'yellow'
  items: readonly (readonly TerminalLine[])[]
  /** Number in the title, by default the number of items. */
  count?: number
  maxItems?: number
  /** Plural noun for the omitted items, as in "and 3 more observations". */
  noun?: string
  foot?: readonly TerminalLine[]
}

const sentence = (text: string, length = 400) => printableSentence(text, length)

function value(text: string | undefined): string | undefined {
  return text && printableText(excerpt(text, { characters: 600, lines: 8 }))
}

function idsText(results: readonly RequirementResult[]): string {
  return printableSentence(abbreviatedIds(results.map(({ requirement }) => requirement)))
}

/** Returns the ids of the requirements of a group, and the number of cases of others. */
function groupText(group: ReasonGroup): string {
  return [group.results.length > 0 ? idsText(group.results) : [], lostCasesText(group) ?? []]
    .flat()
    .join(', ')
}

function reasons(title: string, groups: readonly ReasonGroup[]): TerminalSection {
  const digits = String(groups[0]?.results.length).length
  const items = groups.map((group): TerminalLine[] => {
    const { results, reason } = group
    const first = `  ${String(results.length || '–').padStart(digits)}  `
    if (results.length === 0) return [[first, printableSentence(`${reason}: ${groupText(group)}`)]]
    return [
      [first, printableSentence(reason)],
      [' '.repeat(digits + listIndent.length), groupText(group), 'dim'],
    ]
  })
  return { title, items, count: countIn(groups) }
}

function entry(
  name: string,
  text: string | undefined,
  ...more: (string | undefined)[]
): TerminalLine[] {
  return [
    ['  ', sentence(name)],
    [listIndent, text && sentence(text)],
    ...more.map((detail): TerminalLine => [listIndent, detail && sentence(detail), 'dim']),
  ]
}

function deviation({ result: { requirement, waiver }, text }: ReportedDeviation): TerminalLine[] {
  return entry(requirement, waiver && waiverText(waiver), sentence(text, 240))
}

const reviewedWaiver = (waiver: ReviewedWaiver) =>
  entry(waiver.requirement, waiver.message, waiverText(waiver))

function observationDiffLines({ id, state, before, after }: ObservationDiff): TerminalLine[] {
  const json = (value: unknown) =>
    printableLine(excerpt(JSON.stringify(value) ?? 'nothing', { characters: 240, lines: 1 }))
  const isNew = state === 'new'
  return [
    ['  ', printableSentence(id)],
    [labelled(listIndent, 'was'), isNew ? undefined : json(before), 'green'],
    [labelled(listIndent, 'is'), json(after), isNew ? undefined : 'yellow'],
  ]
}

export function observationRows({ report }: ReportModel, style: TerminalStyle): string[] {
  const maxIdChars = Math.max(...report.observations.map(({ id }) => id.length))
  const width = Math.min(60, maxIdChars, Math.floor(style.width * 0.6))
  const items = report.observations.map(({ id, value }) => {
    const text = printableLine(JSON.stringify(value) ?? 'undefined')
    const row = `  ${printableSentence(id).padEnd(width)} = ${text}`
    return [truncate(row, Math.min(style.width, MAX_OBSERVATION_CHARS))]
  })
  return sectionRows({ title: 'Observations', items }, style)
}

function leakedResources({ leakedResources: resources, report }: ReportModel): TerminalSection {
  const advice = sweepAdvice(
    resources,
    (text) => (text.includes(' ') ? `"${text}"` : text),
    report.run,
  )
  const items = resources.map((one) => [
    ['  ', printableSentence(leakedResourceText(one))] as const,
  ])
  const foot = [['  ', advice, 'dim']] as const
  const title = 'Leaked resources'
  return { title, color: 'yellow', items, maxItems: 20, noun: 'resources', foot }
}

/** Exchanges and commands for a terminal; each exchange is shown once. */
interface ShownExchanges {
  /**
   * Returns the exchange of a result, or a reference to it if it is already shown.
   *
   * @param hasScript true if a script repeats it, so that no command is shown
   */
  of(result: RequirementResult, hasScript?: boolean): TerminalLine[]
  /** Returns the variables of the commands of the shown exchanges. */
  variables(): TerminalLine[]
  /** Returns the command that re-runs failures, or their sections if there are many. */
  rerun(failed: readonly { result: RequirementResult }[]): TerminalLine[]
}

function exchangesOf({ evidence, report }: ReportModel, { colors }: TerminalStyle): ShownExchanges {
  const shown = new Set<string>()
  const repeated: ExchangeRecord[] = []

  function of(result: RequirementResult, hasScript = false): TerminalLine[] {
    const label = labelled(indent, 'exchange')
    const exchange = evidence.of(result)
    if (exchange === undefined) return []
    if (shown.has(exchange.id)) return [[label, `${exchange.id}, shown above`, 'dim']]
    shown.add(exchange.id)
    const hasCommand = !hasScript && !hasEnded(report)
    if (hasCommand) repeated.push(exchange)
    const read = inspectedParts([result])
    const body = read.isOutsideBody ? undefined : { characters: 480, lines: 6 }
    // The other fields of a failure are on the page.
    const headers = result.verdict === 'fail' ? 'read' : 'all'
    const lines = exchangeLines(exchange, { read, requestDetails: false, headers, body })
    return [
      [label, `${exchange.id}: ${requestLine(exchange)}: ${statusLine(exchange)}`, 'dim'],
      ...lines
        .slice(2)
        .filter(({ text }) => text !== '<')
        .map(({ text, isRead }): TerminalLine => {
          // The margin of a line that has what was read is marked.
          const before = isRead ? `${'!'.padStart(margin - 1)} ` : indent
          return [`${before}${text.slice(0, 2)}`, text.slice(2), isRead ? 'red' : undefined]
        }),
      ...(hasCommand ? [commandRow(curlCommand(exchange, report.settings))] : []),
    ]
  }

  // Neither wrapped nor indented after its first row: it is there to be copied.
  const commandRow = (command: string) => `${indent}${colors.cyan(printableText(command))}`

  function variables(): TerminalLine[] {
    const { obtainableSecrets, requiredVariables } = shellVariablesIn(repeated, report)
    const parts = requiredVariables.map(
      ({ names, text }) => `${names.map((name) => `$${name}`).join(', ')}, ${text}`,
    )
    const set = printableSentence(`Set before repeating a request: ${parts.join('; ')}.`)
    return [
      ...(parts.length === 0 ? [] : (['', ['  ', set, 'dim']] as const)),
      ...obtainableSecrets.flatMap(({ name, command }): TerminalLine[] => [
        ['  ', `Create $${name} with:`, 'dim'],
        commandRow(command),
      ]),
    ]
  }

  return {
    of,
    variables,
    rerun(failed) {
      const ids = failed.map(({ result }) => result.requirement)
      const sections = new Set(ids.map((id) => id.split('/').slice(0, 2).join('/')))
      const patterns = failed.length > MAX_DETAILED_FAILURES ? [...sections] : ids
      return ['', ['  ', 'Re-run the failures:', 'dim'], commandRow(runCommand(patterns, report))]
    },
  }
}

function inconclusive({ inconclusive }: ReportModel, exchanges: ShownExchanges): TerminalSection {
  const items = inconclusive.map((group, index): TerminalLine[] => {
    const { reason, results, example, isStopped } = group
    return [
      '',
      ['  ', value(reason), 'yellow'],
      [indent, `${counted(results.length, 'requirement')}: ${groupText(group)}`],
      ...(example && !isStopped && index < 6 ? exchanges.of(example) : []),
    ]
  })
  return { title: 'Inconclusive', color: 'yellow', items, count: countIn(inconclusive) }
}

/** Returns the first further deviation and the number of the others; undefined without any. */
function furtherText(result: RequirementResult): string | undefined {
  return furtherTexts(result, (text) => sentence(text, 240), 1).join('; ') || undefined
}

/** Returns `no credentials, GET /user (in 12 of 41 cases)`, as far as it is known. */
function caseText({ case: simplest, deviates }: CaseFacts): string {
  if (simplest === undefined) return deviates ?? ''
  return deviates === undefined ? simplest : `${simplest} (${deviates})`
}

/** Lists all failed requirements; only the first have their exchanges. */
function failures({ failed, report }: ReportModel, exchanges: ShownExchanges): TerminalSection {
  const label = (name: string) => labelled(indent, name)
  const kind = ({ level }: RequirementResult) => (level === 'wording' ? ' (wording)' : '')
  const pathOf = (script: FailureScript | undefined) =>
    script && printableLine(join(report.run.reports ?? 'reports', script.path))
  const place = (result: RequirementResult) => {
    const { text, url } = placeInDocument(result, report)
    return url === undefined ? text : `${text}, ${url}`
  }
  const items = failed.map(({ result, cases, reason, script }, index): TerminalLine[] => [
    '',
    [`${`${index + 1}.`.padStart(margin - 1)} `, printableSentence(result.statement), 'bold'],
    [indent, printableSentence(`${result.requirement}${kind(result)}: ${place(result)}`), 'dim'],
    [label(cases.case ? 'case' : 'deviates'), sentence(caseText(cases)) || undefined],
    [label('expected'), value(result.expected), 'green'],
    [label('actual'), value(result.actual), 'red'],
    [label('because'), cases.because && sentence(cases.because), 'dim'],
    [label('conforms'), cases.conforms && sentence(cases.conforms), 'yellow'],
    [label('also'), furtherText(result), 'red'],
    [label('reason'), value(reason)],
    ...(index < MAX_DETAILED_FAILURES ? exchanges.of(result, script !== undefined) : []),
    [label('script'), pathOf(script), 'cyan'],
  ])
  const note = `Exchanges from number ${MAX_DETAILED_FAILURES + 1} on are only in the report files.`
  const foot: TerminalLine[] =
    failed.length > MAX_DETAILED_FAILURES ? ['', ['  ', note, 'dim']] : []
  const wording = wordingNote(failed)
  if (wording !== undefined) foot.push('', ['  ', wording, 'dim'])
  foot.push(...exchanges.rerun(failed))
  return { title: 'Failed', color: 'red', items, foot }
}

export function lineRows(lines: readonly TerminalLine[], style: TerminalStyle): string[] {
  return lines.flatMap((line) => {
    if (typeof line === 'string') return [line]
    const [first, text, color] = line
    return text === undefined ? [] : hanging(first, text, style, color && style.colors[color])
  })
}

function sectionRows(section: TerminalSection, style: TerminalStyle): string[] {
  const { title, color, items, count = items.length, maxItems = items.length } = section
  if (items.length === 0) return []
  const { colors } = style
  const omitted = items.length - maxItems
  return [
    ...heading(title, count, (text) => colors.bold(color ? colors[color](text) : text)),
    ...lineRows(items.slice(0, maxItems).flat(), style),
    ...(omitted > 0 ? [colors.dim(`  and ${omitted} more ${section.noun}, in report.json`)] : []),
    ...lineRows(section.foot ?? [], style),
  ]
}

/**
 * Returns the lists of a report as rows, least important first, failures last.
 *
 * @param quiet true for only the lists that make the exit status nonzero
 */
export function allSections(model: ReportModel, style: TerminalStyle, quiet = false): string[] {
  const exchanges = exchangesOf(model, style)
  const diffs = { color: 'yellow', maxItems: 20, noun: 'observations' } as const
  const baseline: TerminalSection[] = [
    { ...diffs, title: 'Not in the baseline', items: model.newDiffs.map(observationDiffLines) },
    {
      ...diffs,
      title: 'Changed since the baseline',
      items: model.changedDiffs.map(observationDiffLines),
    },
  ]
  const pinned = model.report.baseline?.pinned === true
  const advisory = model.advisory.map(deviation)
  const wideFoot = [
    ['  ', narrowingText(model.waiversWithoutDeviations, model.report.run.program), 'dim'],
  ] as const
  const before: TerminalSection[] = [
    reasons('Skipped', model.skipped),
    { title: 'Waived', items: model.waived.map(deviation), foot: wideFoot },
    { title: 'Advisory', items: advisory, maxItems: 20, noun: 'requirements' },
    { title: 'Unverified waivers', items: model.unverifiedWaivers.map(reviewedWaiver) },
    leakedResources(model),
    ...(pinned ? [] : baseline),
    inconclusive(model, exchanges),
    failures(model, exchanges),
  ]
  const failing = model.failingWaivers.map(reviewedWaiver)
  const unused = unusedWaiversText(model.failingWaivers, model.report.run.program)
  const after: TerminalSection[] = [
    ...(pinned ? baseline : []),
    {
      title: 'Waivers that fail the run',
      color: 'red',
      items: failing,
      foot: [['  ', unused, 'dim']],
    },
  ]
  return [
    ...before.slice(quiet ? -2 : 0).flatMap((section) => sectionRows(section, style)),
    ...lineRows(exchanges.variables(), style),
    ...after.flatMap((section) => sectionRows(section, style)),
  ]
}
