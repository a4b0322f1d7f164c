import type {
  Observation,
  ObservationDiff,
  RequirementResult,
  ReviewedWaiver,
} from '../conformance/result.ts'
import { curlCommand, variablesOf } from './curl.ts'
import { exchangeLines, exchangeTitle, readParts, relatedText } from './evidence.ts'
import { countIn, type Deviation, type Failure, type ReportModel } from './model.ts'
import { excerpt, printableLine, printableSentence, printableText, shortened } from './printable.ts'
import { abbreviatedIds, type ReasonGroup } from './reason-groups.ts'
import { counted, leftBehindText, sweepAdvice, waiverText } from './run-words.ts'
import { hanging, heading, labelled, type Paint, type TerminalStyle } from './terminal-style.ts'

const failuresInDetail = 12
const groupsInDetail = 6
const widestId = 60
const longestDeviation = 240
const longestText = 400
const diffLimits = { characters: 240, lines: 1 }
const valueLimits = { characters: 600, lines: 8 }
const bodyLimits = { characters: 480, lines: 8 }
/** Where a header was read, the body is only there to be recognised. */
const bodyBesideHeader = { characters: 120, lines: 2 }

const margin = 5
const indent = ' '.repeat(margin)
const listIndent = `${indent} `
/** Stands in the margin beside the line of an exchange that has what was read. */
const mark = '!'

type Color = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** Text that is wrapped behind what stands before its first row. A string is a row as it is. */
export type Line =
  | string
  | readonly [first: string, text: string | undefined, color?: Color | undefined]

interface Section {
  title: string
  color?: 'red' | 'yellow'
  items: readonly (readonly Line[])[]
  /** How many things the items tell of, where that is not their number. */
  count?: number
  /** How many items are shown, and what those are called that are left out. */
  most?: number
  what?: string
  foot?: readonly Line[]
}

function sentence(text: string, length = longestText): string {
  return shortened(printableSentence(text), length)
}

function value(text: string | undefined): string | undefined {
  return text === undefined ? undefined : printableText(excerpt(text, valueLimits))
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

/** A deviation that does not fail the run, with who answers for it where it is waived. */
function deviation({ result: { requirement, waiver }, text, note }: Deviation): Line[] {
  return [
    ['  ', printableSentence(requirement)],
    [listIndent, waiver && sentence(waiverText(waiver))],
    [listIndent, note && sentence(note), 'dim'],
    [listIndent, sentence(text, longestDeviation), 'dim'],
  ]
}

function reviewedWaiver(waiver: ReviewedWaiver): Line[] {
  return [
    ['  ', sentence(waiver.requirement)],
    [listIndent, sentence(waiver.message)],
    [listIndent, sentence(waiverText(waiver)), 'dim'],
  ]
}

function observationDiff({ id, state, before, after }: ObservationDiff): Line[] {
  const json = (value: unknown) =>
    printableLine(excerpt(JSON.stringify(value) ?? 'nothing', diffLimits))
  const isNew = state === 'new'
  return [
    ['  ', printableSentence(id)],
    [labelled(listIndent, 'was'), isNew ? undefined : json(before), 'green'],
    [labelled(listIndent, 'is'), json(after), isNew ? undefined : 'yellow'],
  ]
}

/** What the deployment does where its document is silent: `id = value`, one row for each. */
function observations(all: readonly Observation[], rowWidth: number): Section {
  const most = 40
  const lengths = all.slice(0, most).map(({ id }) => id.length)
  const width = Math.min(widestId, Math.max(...lengths), Math.floor(rowWidth * 0.6))
  const items = all.map(({ id, value }) => {
    const text = printableLine(JSON.stringify(value) ?? 'undefined')
    return [shortened(`  ${printableSentence(id).padEnd(width)} = ${text}`, rowWidth)]
  })
  return { title: 'Observations', items, most, what: 'observations' }
}

function leftBehind({ report }: ReportModel): Section {
  const advice = sweepAdvice(report.leftBehind, (text) => (text.includes(' ') ? `"${text}"` : text))
  return {
    title: 'Left behind on the target',
    color: 'yellow',
    items: report.leftBehind.map((left) => [['  ', printableSentence(leftBehindText(left))]]),
    most: 20,
    what: 'things',
    foot: [['  ', advice, 'dim']],
  }
}

/** The exchanges that are shown, each once. */
class Exchanges {
  readonly #model: ReportModel
  readonly #paint: Paint
  readonly #commands: string[] = []
  readonly #shown = new Set<string>()

  constructor(model: ReportModel, paint: Paint) {
    this.#model = model
    this.#paint = paint
  }

  of(result: RequirementResult): Line[] {
    const label = labelled(indent, 'exchange')
    const exchange = this.#model.evidence.of(result)
    if (exchange === undefined) return []
    if (this.#shown.has(exchange.id)) return [[label, `${exchange.id}, shown above`, 'dim']]
    this.#shown.add(exchange.id)
    const command = curlCommand(exchange)
    this.#commands.push(command)
    const read = readParts([result])
    const aboutHeader = exchange.response?.headers.some(({ name }) => read.header(name)) ?? false
    const body = aboutHeader ? bodyBesideHeader : bodyLimits
    const lines = exchangeLines(exchange, { read, requestDetails: false, body })
    return [
      [label, exchangeTitle(exchange, result), 'dim'],
      ...lines.map(({ text, isRead }): Line => {
        const [first, rest] = [text.slice(0, 2), text.slice(2)]
        if (!isRead) return [`${indent}${first}`, rest]
        return [`${mark.padStart(margin - 1)} ${first}`, rest, 'red']
      }),
      // Neither wrapped nor indented after its first row: it is there to be copied.
      `${indent}${this.#paint(printableText(command))}`,
    ]
  }

  /** Tells which variables the commands shown so far expect, when they expect any. */
  variables(): Line[] {
    const { configured, made } = variablesOf(this.#commands.join('\n'), this.#model.report)
    const named = (names: readonly string[], text: string) =>
      names.length === 0 ? [] : [`${names.map((name) => `$${name}`).join(', ')}, ${text}`]
    const parts = [
      ...named(configured, 'as it was for the run'),
      ...named(made, 'which the run made for itself: take one of your own of the same kind'),
    ]
    if (parts.length === 0) return []
    return ['', ['  ', `Set before repeating a request: ${parts.join('; ')}.`, 'dim']]
  }
}

/** Requirements without a verdict: one entry for each reason, with one exchange as its example. */
function inconclusive({ unjudged }: ReportModel, exchanges: Exchanges): Section {
  const items = unjudged.map(({ reason, results, example, stopped }, index): Line[] => {
    const number = counted(results.length, 'requirement', 'requirements')
    const isShown = example !== undefined && !stopped && index < groupsInDetail
    return [
      '',
      ['  ', value(reason), 'yellow'],
      [indent, `${number}: ${idsText(results)}`],
      ...(isShown ? exchanges.of(example) : []),
    ]
  })
  return { title: 'Inconclusive', color: 'yellow', items, count: countIn(unjudged) }
}

function failureLines({ result, reason, related }: Failure, position: number): Line[] {
  const { requirement, statement, section, level, expected, actual } = result
  const wording = level === 'wording' ? ' (wording)' : ''
  const label = (name: string) => labelled(indent, name)
  return [
    '',
    [`${`${position}.`.padStart(margin - 1)} `, printableSentence(statement), 'bold'],
    [indent, `${printableSentence(requirement)}${wording}`, 'dim'],
    [label('section'), printableSentence(section)],
    [label('expected'), value(expected), 'green'],
    [label('actual'), value(actual), 'red'],
    [label('reason'), value(reason)],
    [label('related'), printableSentence(relatedText(related)) || undefined],
  ]
}

/** Every failed requirement, none left out, the first dozen with the exchanges that show them. */
function failures({ failed }: ReportModel, exchanges: Exchanges): Section {
  const items = failed.map((failure, index) => [
    ...failureLines(failure, index + 1),
    ...(index < failuresInDetail ? exchanges.of(failure.result) : []),
  ])
  const note = `From number ${failuresInDetail + 1} on the exchanges are in the report files only.`
  const foot: Line[] = failed.length > failuresInDetail ? ['', ['  ', note, 'dim']] : []
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

/** The lists of a report, as rows of a terminal. What fails the run comes last, what matters least first. */
export function allSections(model: ReportModel, style: TerminalStyle): string[] {
  const { report, reserved, skipped, waived, advisory, untriedWaivers } = model
  const exchanges = new Exchanges(model, style.colors.cyan)
  const look = { color: 'yellow', most: 20, what: 'observations' } as const
  const baseline: Section[] = [
    { title: 'Not in the baseline', items: model.newDiffs.map(observationDiff), ...look },
    {
      title: 'Changed since the baseline',
      items: model.changedDiffs.map(observationDiff),
      ...look,
    },
  ]
  const pinned = report.baseline?.pinned === true
  const before: Section[] = [
    observations(report.observations, style.width),
    reasons('Passed with a reservation', reserved),
    reasons('Skipped', skipped),
    { title: 'Waived', items: waived.map(deviation) },
    { title: 'Advisory', items: advisory.map(deviation), most: 20, what: 'requirements' },
    { title: 'Waivers that were not tried', items: untriedWaivers.map(reviewedWaiver) },
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
    ...before.flatMap((section) => sectionRows(section, style)),
    ...lineRows(exchanges.variables(), style),
    ...after.flatMap((section) => sectionRows(section, style)),
  ]
}
