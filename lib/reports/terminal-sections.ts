import { curlCommand } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { ObservationDiff, RequirementResult, ReviewedWaiver } from '../results/run-report.ts'
import { abbreviatedIds } from './abbreviate-ids.ts'
import {
  exchangeLines,
  exchangeTitle,
  furtherDeviations,
  placeInBody,
  readParts,
} from './evidence.ts'
import {
  counted,
  hasEnded,
  leftBehindText,
  levels,
  placeInDocument,
  sweepAdvice,
  waiverText,
  wideWaiversText,
} from './format.ts'
import { countIn, type ReportedDeviation, type ReportModel } from './model.ts'
import { excerpt, printableLine, printableSentence, printableText, truncate } from './printable.ts'
import type { ReasonGroup } from './reason-text.ts'
import { runCommand, variablesOf } from './rerun-commands.ts'
import { hanging, heading, labelled, type TerminalStyle } from './terminal-style.ts'

const failuresInDetail = 12

const margin = 5
const indent = ' '.repeat(margin)
const listIndent = `${indent} `

/** Text that is wrapped behind what stands before its first row. A string is a row as it is. */
export type Line =
  | string
  | readonly [first: string, text: string | undefined, color?: Color | undefined]
type Color = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

interface Section {
  title: string
  color?: 'red' | 'yellow'
  items: readonly (readonly Line[])[]
  /** How many things the items tell of, where that is not their number. */
  count?: number
  most?: number
  /** What those are called of which `most` are shown. */
  what?: string
  foot?: readonly Line[]
}

function sentence(text: string, length = 400): string {
  return truncate(printableSentence(text), length)
}

function value(text: string | undefined): string | undefined {
  return text && printableText(excerpt(text, { characters: 600, lines: 8 }))
}

function idsText(results: readonly RequirementResult[]): string {
  return printableSentence(abbreviatedIds(results.map(({ requirement }) => requirement)))
}

/** One entry for each reason, its number in front, its requirements after it. */
function reasons(title: string, groups: readonly ReasonGroup[]): Section {
  const digits = String(groups[0]?.results.length).length
  const items = groups.map(({ reason, results }): Line[] => [
    [`  ${String(results.length).padStart(digits)}  `, printableSentence(reason)],
    [' '.repeat(digits + listIndent.length), idsText(results), 'dim'],
  ])
  return { title, items, count: countIn(groups) }
}

function entry(name: string, text: string | undefined, ...more: (string | undefined)[]): Line[] {
  return [
    ['  ', sentence(name)],
    [listIndent, text && sentence(text)],
    ...more.map((less): Line => [listIndent, less && sentence(less), 'dim']),
  ]
}

function deviation({ result: { requirement, waiver }, text, note }: ReportedDeviation): Line[] {
  return entry(requirement, waiver && waiverText(waiver), note, sentence(text, 240))
}

const reviewedWaiver = (waiver: ReviewedWaiver) =>
  entry(waiver.requirement, waiver.message, waiverText(waiver))

function observationDiff({ id, state, before, after }: ObservationDiff): Line[] {
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
  const longest = Math.max(...report.observations.map(({ id }) => id.length))
  const width = Math.min(60, longest, Math.floor(style.width * 0.6))
  const items = report.observations.map(({ id, value }) => {
    const text = printableLine(JSON.stringify(value) ?? 'undefined')
    return [truncate(`  ${printableSentence(id).padEnd(width)} = ${text}`, style.width)]
  })
  return sectionRows({ title: 'Observations', items }, style)
}

function leftBehind({ leftBehind }: ReportModel): Section {
  const advice = sweepAdvice(leftBehind, (text) => (text.includes(' ') ? `"${text}"` : text))
  const items = leftBehind.map((left) => [['  ', printableSentence(leftBehindText(left))] as const])
  const foot = [['  ', advice, 'dim']] as const
  const title = 'Left behind on the target'
  return { title, color: 'yellow', items, most: 20, what: 'things', foot }
}

/** Exchanges and commands for a terminal; each exchange is shown once. */
interface ShownExchanges {
  /** Returns the exchange that shows a result, or where it is shown. */
  of(result: RequirementResult): Line[]
  /** Returns which variables the commands of the shown exchanges expect. */
  variables(): Line[]
  /** Returns the command that judges failures again; of many, their sections. */
  again(failed: readonly { result: RequirementResult }[]): Line[]
}

function exchangesOf({ evidence, report }: ReportModel, { colors }: TerminalStyle): ShownExchanges {
  const shown = new Map<string, ExchangeRecord>()

  function of(result: RequirementResult): Line[] {
    const label = labelled(indent, 'exchange')
    const exchange = evidence.of(result)
    if (exchange === undefined) return []
    if (shown.has(exchange.id)) return [[label, `${exchange.id}, shown above`, 'dim']]
    shown.set(exchange.id, exchange)
    const read = readParts([result])
    // Where a header was read, the body is only there to be recognised.
    const aboutHeader = exchange.response?.headers.some(({ name }) => read.header(name))
    const body = aboutHeader ? { characters: 120, lines: 2 } : { characters: 480, lines: 8 }
    const lines = exchangeLines(exchange, { read, requestDetails: false, body })
    return [
      [label, exchangeTitle(exchange, result), 'dim'],
      ...lines.map(({ text, isRead }): Line => {
        // The margin of a line that has what was read is marked.
        const before = isRead ? `${'!'.padStart(margin - 1)} ` : indent
        return [`${before}${text.slice(0, 2)}`, text.slice(2), isRead ? 'red' : undefined]
      }),
      ...(hasEnded(report) ? [] : [commandRow(curlCommand(exchange))]),
    ]
  }

  // Neither wrapped nor indented after its first row: it is there to be copied.
  const commandRow = (command: string) => `${indent}${colors.cyan(printableText(command))}`

  function variables(): Line[] {
    const { told, given } = variablesOf(hasEnded(report) ? [] : [...shown.values()], report)
    const parts = given.map(
      ({ names, text }) => `${names.map((name) => `$${name}`).join(', ')}, ${text}`,
    )
    const set = `Set before repeating a request: ${parts.join('; ')}.`
    return [
      ...(parts.length === 0 ? [] : (['', ['  ', set, 'dim']] as const)),
      ...told.flatMap(({ name, command }): Line[] => [
        ['  ', `$${name} is in the response to:`, 'dim'],
        commandRow(command),
      ]),
    ]
  }

  return {
    of,
    variables,
    again(failed) {
      const ids = failed.map(({ result }) => result.requirement)
      const sections = new Set(ids.map((id) => id.split('/').slice(0, 2).join('/')))
      const judged = failed.length > failuresInDetail ? [...sections] : ids
      return ['', ['  ', 'Judge again what failed:', 'dim'], commandRow(runCommand(judged, report))]
    },
  }
}

function inconclusive({ unjudged }: ReportModel, exchanges: ShownExchanges): Section {
  const items = unjudged.map(({ reason, results, example, stopped }, index): Line[] => [
    '',
    ['  ', value(reason), 'yellow'],
    [indent, `${counted(results.length, 'requirement', 'requirements')}: ${idsText(results)}`],
    ...(example && !stopped && index < 6 ? exchanges.of(example) : []),
  ])
  return { title: 'Inconclusive', color: 'yellow', items, count: countIn(unjudged) }
}

/** A line for each further deviation of a failure. */
function alsoDeviating(result: RequirementResult): Line[] {
  const { lines, more } = furtherDeviations(result)
  const texts = lines.map(({ text, exchange }) => {
    return `${sentence(text, 240)}${exchange === undefined ? '' : ` (${exchange})`}`
  })
  if (more > 0) texts.push(`and ${more} more, in report.json`)
  return texts.map((text): Line => [labelled(indent, 'also'), text, 'red'])
}

/** Every failed requirement, none left out, the first dozen with the exchanges that show them. */
function failures({ failed, report }: ReportModel, exchanges: ShownExchanges): Section {
  const label = (name: string) => labelled(indent, name)
  const kind = ({ level }: RequirementResult) => (level === 'wording' ? ' (wording)' : '')
  const items = failed.map(({ result, reason, related }, index): Line[] => [
    '',
    [`${`${index + 1}.`.padStart(margin - 1)} `, printableSentence(result.statement), 'bold'],
    [indent, printableSentence(`${result.requirement}${kind(result)}`), 'dim'],
    [label('section'), printableSentence(placeInDocument(result, report).text)],
    [label('document'), printableSentence(placeInDocument(result, report).url ?? '') || undefined],
    [label('expected'), value(result.expected), 'green'],
    [label('actual'), value(result.actual), 'red'],
    [label('at'), placeInBody(result)],
    ...alsoDeviating(result),
    [label('reason'), value(reason)],
    [label('related'), related.length > 0 ? `${idsText(related)} (same exchange)` : undefined],
    ...(index < failuresInDetail ? exchanges.of(result) : []),
  ])
  const note = `From number ${failuresInDetail + 1} on the exchanges are in the report files only.`
  const foot: Line[] = failed.length > failuresInDetail ? ['', ['  ', note, 'dim']] : []
  const words = failed.some(({ result }) => result.level === 'wording')
  if (words) foot.push('', ['  ', `(wording): ${levels.wording}.`, 'dim'])
  foot.push(...exchanges.again(failed))
  return { title: 'Failed', color: 'red', items, foot }
}

export function lineRows(lines: readonly Line[], style: TerminalStyle): string[] {
  return lines.flatMap((line) => {
    if (typeof line === 'string') return [line]
    const [first, text, color] = line
    return text === undefined ? [] : hanging(first, text, style, color && style.colors[color])
  })
}

function sectionRows(section: Section, style: TerminalStyle): string[] {
  const { title, color, items, count = items.length, most = items.length } = section
  if (items.length === 0) return []
  const { colors } = style
  const left = items.length - most
  return [
    ...heading(title, count, (text) => colors.bold(color ? colors[color](text) : text)),
    ...lineRows(items.slice(0, most).flat(), style),
    ...(left > 0 ? [colors.dim(`  and ${left} more ${section.what}, in report.json`)] : []),
    ...lineRows(section.foot ?? [], style),
  ]
}

/**
 * The lists of a report, as rows of a terminal. What fails the run comes last, what matters least first.
 *
 * @param quiet only those that keep a run from its success
 */
export function allSections(model: ReportModel, style: TerminalStyle, quiet = false): string[] {
  const exchanges = exchangesOf(model, style)
  const diffs = { color: 'yellow', most: 20, what: 'observations' } as const
  const baseline: Section[] = [
    { ...diffs, title: 'Not in the baseline', items: model.newDiffs.map(observationDiff) },
    {
      ...diffs,
      title: 'Changed since the baseline',
      items: model.changedDiffs.map(observationDiff),
    },
  ]
  const pinned = model.report.baseline?.pinned === true
  const advisory = model.advisory.map(deviation)
  const wideFoot = [['  ', wideWaiversText(model.wideWaivers), 'dim']] as const
  const before: Section[] = [
    reasons('Passed with a reservation', model.reserved),
    reasons('Skipped', model.skipped),
    { title: 'Waived', items: model.waived.map(deviation), foot: wideFoot },
    { title: 'Advisory', items: advisory, most: 20, what: 'requirements' },
    { title: 'Waivers that were not tried', items: model.untriedWaivers.map(reviewedWaiver) },
    leftBehind(model),
    ...(pinned ? [] : baseline),
    inconclusive(model, exchanges),
    failures(model, exchanges),
  ]
  const failing = model.failingWaivers.map(reviewedWaiver)
  const after: Section[] = [
    ...(pinned ? baseline : []),
    { title: 'Waivers that fail the run', color: 'red', items: failing },
  ]
  return [
    ...before.slice(quiet ? -2 : 0).flatMap((section) => sectionRows(section, style)),
    ...lineRows(exchanges.variables(), style),
    ...after.flatMap((section) => sectionRows(section, style)),
  ]
}
