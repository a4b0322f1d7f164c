import type {
  Observation,
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
} from '../conformance/result.ts'
import { curlCommand, variablesOf } from './curl.ts'
import { exchangeLines, exchangeTitle, readParts, relatedText } from './evidence.ts'
import { leftBehindText, mayExistNotes, sweepAdvice, waiverText } from './list-words.ts'
import { countIn, type Deviation, type Failure, type ReportModel } from './model.ts'
import { excerpt, printableLine, printableSentence, printableText, shortened } from './printable.ts'
import { abbreviatedIds, type ReasonGroup } from './reason-groups.ts'
import { counted } from './run-words.ts'
import { field, hanging, heading, type Paint, type TerminalStyle } from './terminal-style.ts'

const failuresInDetail = 12
const groupsInDetail = 6
const shownAtMost = { deviations: 20, observations: 40, pins: 20, leftBehind: 20 }
const widestId = 60
const longestDeviation = 240
const longestText = 400
const pinLimits = { characters: 240, lines: 1 }
const valueLimits = { characters: 600, lines: 8 }
const bodyLimits = { characters: 480, lines: 8 }
/** Where a header was read, the body is only there to be recognised. */
const bodyBesideHeader = { characters: 120, lines: 2 }

const margin = 5
const indent = ' '.repeat(margin)
const listMargin = margin + 1
const listIndent = ' '.repeat(listMargin)
/** Stands in the margin beside the line of an exchange that has what was read. */
const mark = '!'

/** How a list looks that is not like most. */
interface ListLook {
  paint?: Paint
  /** How many items are shown, and what those are called that are left out. */
  most?: number
  what?: string
}

function sentence(text: string, length = longestText): string {
  return shortened(printableSentence(text), length)
}

function value(text: string): string {
  return printableText(excerpt(text, valueLimits))
}

function idsText(results: readonly RequirementResult[]): string {
  return printableSentence(abbreviatedIds(results.map(({ requirement }) => requirement)))
}

/**
 * What the terminal shows of a run, section by section. It keeps in mind which exchanges it has shown,
 * so that each is shown once.
 */
export class TerminalSections {
  readonly #model: ReportModel
  readonly #style: TerminalStyle
  readonly #commands: string[] = []
  readonly #exchanges = new Set<string>()

  constructor(model: ReportModel, style: TerminalStyle) {
    this.#model = model
    this.#style = style
  }

  /** What does not fail the run, the least important first. */
  lists(): string[] {
    const { report, reserved, skipped, waived, advisory, untriedWaivers } = this.#model
    const deviation = (it: Deviation) => this.#deviation(it)
    return [
      ...this.#observations(report.observations),
      ...this.#reasons('Passed with a reservation', reserved),
      ...this.#reasons('Skipped', skipped),
      ...this.#list('Waived', waived, deviation),
      ...this.#list('Advisory', advisory, deviation, {
        most: shownAtMost.deviations,
        what: 'requirements',
      }),
      ...this.#list('Waivers that were not tried', untriedWaivers, (it) => this.#waiver(it)),
      ...this.#leftBehind(),
    ]
  }

  /** What the deployment does otherwise than when the baseline was written. */
  baseline(): string[] {
    const { newPins, changedPins } = this.#model
    const look = { paint: this.#yellow(), most: shownAtMost.pins, what: 'observations' }
    const rows = (pin: ReviewedPin) => this.#pin(pin)
    return [
      ...this.#list('Not in the baseline', newPins, rows, look),
      ...this.#list('Changed since the baseline', changedPins, rows, look),
    ]
  }

  /** Entries of the waivers that fail the run, each with what to do. */
  failingWaivers(): string[] {
    const rows = (waiver: ReviewedWaiver) => this.#waiver(waiver)
    const look = { paint: this.#red() }
    return this.#list('Waivers that fail the run', this.#model.failingWaivers, rows, look)
  }

  /** Requirements without a verdict: one entry for each reason, with one exchange as its example. */
  inconclusive(): string[] {
    const { unjudged } = this.#model
    if (unjudged.length === 0) return []
    const rows = unjudged.flatMap(({ reason, results, example, stopped }, index) => {
      const requirements = `${counted(results.length, 'requirement', 'requirements')}: ${idsText(results)}`
      const isShown = example !== undefined && !stopped && index < groupsInDetail
      return [
        '',
        ...hanging('  ', value(reason), this.#style, this.#style.colors.yellow),
        ...hanging(indent, requirements, this.#style),
        ...(isShown ? this.#exchange(example) : []),
      ]
    })
    return [...heading('Inconclusive', countIn(unjudged), this.#yellow()), ...rows]
  }

  /**
   * Every failed requirement, none left out. The first dozen come with the exchange that shows them
   * and a command that repeats it; what the others rest on is in the report files.
   */
  failed(): string[] {
    const { failed } = this.#model
    if (failed.length === 0) return []
    const note = `From number ${failuresInDetail + 1} on the exchanges are in the report files only.`
    const { dim } = this.#style.colors
    return [
      ...heading('Failed', failed.length, this.#red()),
      ...failed.flatMap((failure, index) => this.#failure(failure, index + 1)),
      ...(failed.length > failuresInDetail ? ['', ...hanging('  ', note, this.#style, dim)] : []),
    ]
  }

  /** Tells which variables the commands shown so far expect, when they expect any. */
  variables(): string[] {
    const { configured, made } = variablesOf(this.#commands.join('\n'), this.#model.report)
    const named = (names: readonly string[], text: string) =>
      names.length === 0 ? [] : [`${names.map((name) => `$${name}`).join(', ')}, ${text}`]
    const parts = [
      ...named(configured, 'as it was for the run'),
      ...named(made, 'which the run made for itself: take one of your own of the same kind'),
    ]
    if (parts.length === 0) return []
    const text = `Set before repeating a request: ${parts.join('; ')}.`
    return ['', ...hanging('  ', text, this.#style, this.#style.colors.dim)]
  }

  #red(): Paint {
    const { bold, red } = this.#style.colors
    return (text) => bold(red(text))
  }

  #yellow(): Paint {
    const { bold, yellow } = this.#style.colors
    return (text) => bold(yellow(text))
  }

  /** A heading and the rows of each item; nothing where there is none. */
  #list<Item>(
    title: string,
    items: readonly Item[],
    rows: (item: Item) => string[],
    { paint = this.#style.colors.bold, most = items.length, what = '' }: ListLook = {},
  ): string[] {
    if (items.length === 0) return []
    const left = items.length - most
    const { dim } = this.#style.colors
    return [
      ...heading(title, items.length, paint),
      ...items.slice(0, most).flatMap(rows),
      ...(left > 0 ? [dim(`  and ${left} more ${what}, in report.json`)] : []),
    ]
  }

  /** Results in brief: one entry for each reason, its number in front, its requirements after it. */
  #reasons(title: string, groups: readonly ReasonGroup[]): string[] {
    const [largest] = groups
    if (largest === undefined) return []
    const { bold, dim } = this.#style.colors
    const digits = String(largest.results.length).length
    const rows = groups.flatMap(({ reason, results }) => [
      ...hanging(
        `  ${String(results.length).padStart(digits)}  `,
        printableSentence(reason),
        this.#style,
      ),
      ...hanging(' '.repeat(digits + listMargin), idsText(results), this.#style, dim),
    ])
    return [...heading(title, countIn(groups), bold), ...rows]
  }

  /** A deviation that does not fail the run, with who answers for it where it is waived. */
  #deviation({ result: { requirement, waiver }, text, note }: Deviation): string[] {
    const row = (told: string | undefined, paint?: Paint, length?: number) =>
      told === undefined ? [] : hanging(listIndent, sentence(told, length), this.#style, paint)
    const { dim } = this.#style.colors
    return [
      ...hanging('  ', printableSentence(requirement), this.#style),
      ...row(waiver && waiverText(waiver)),
      ...row(note, dim),
      ...row(text, dim, longestDeviation),
    ]
  }

  #waiver(waiver: ReviewedWaiver): string[] {
    const { dim } = this.#style.colors
    return [
      ...hanging('  ', sentence(waiver.requirement), this.#style),
      ...hanging(listIndent, sentence(waiver.message), this.#style),
      ...hanging(listIndent, sentence(waiverText(waiver)), this.#style, dim),
    ]
  }

  /** What the deployment does where its document is silent: `id = value`, one row for each. */
  #observations(observations: readonly Observation[]): string[] {
    const most = shownAtMost.observations
    const lengths = observations.slice(0, most).map(({ id }) => id.length)
    const width = Math.min(widestId, Math.max(...lengths), Math.floor(this.#style.width * 0.6))
    const row = ({ id, value }: Observation) => {
      const text = printableLine(JSON.stringify(value) ?? 'undefined')
      return [shortened(`  ${printableSentence(id).padEnd(width)} = ${text}`, this.#style.width)]
    }
    return this.#list('Observations', observations, row, { most, what: 'observations' })
  }

  /** What someone has to delete on the target. */
  #leftBehind(): string[] {
    const { leftBehind } = this.#model.report
    if (leftBehind.length === 0) return []
    const advice = sweepAdvice(leftBehind, (text) => (text.includes(' ') ? `"${text}"` : text))
    const notes = [...mayExistNotes(leftBehind), advice].join(' ')
    return [
      ...this.#list(
        'Left behind on the target',
        leftBehind,
        (left) => hanging('  ', printableSentence(leftBehindText(left)), this.#style),
        { paint: this.#yellow(), most: shownAtMost.leftBehind, what: 'things' },
      ),
      ...hanging('  ', notes, this.#style, this.#style.colors.dim),
    ]
  }

  #pin({ id, state, before, after }: ReviewedPin): string[] {
    const { green, yellow } = this.#style.colors
    const json = (value: unknown) =>
      printableLine(excerpt(JSON.stringify(value) ?? 'nothing', pinLimits))
    const isNew = state === 'new'
    return [
      ...hanging('  ', printableSentence(id), this.#style),
      ...(isNew ? [] : field(listMargin, 'was', json(before), this.#style, green)),
      ...field(listMargin, 'is', json(after), this.#style, isNew ? undefined : yellow),
    ]
  }

  #failure({ result, reason, related }: Failure, position: number): string[] {
    const { bold, dim, green, red } = this.#style.colors
    const { requirement, statement, section, level, expected, actual } = result
    const wording = level === 'wording' ? ' (wording)' : ''
    const told = (label: string, text: string | undefined, paint?: Paint) =>
      text === undefined ? [] : field(margin, label, text, this.#style, paint)
    const shown = (text: string | undefined) => (text === undefined ? undefined : value(text))
    return [
      '',
      ...hanging(
        `${`${position}.`.padStart(margin - 1)} `,
        printableSentence(statement),
        this.#style,
        bold,
      ),
      ...hanging(indent, `${printableSentence(requirement)}${wording}`, this.#style, dim),
      ...told('section', printableSentence(section)),
      ...told('expected', shown(expected), green),
      ...told('actual', shown(actual), red),
      ...told('reason', shown(reason)),
      ...told(
        'related',
        related.length === 0 ? undefined : printableSentence(relatedText(related)),
      ),
      ...(position <= failuresInDetail ? this.#exchange(result) : []),
    ]
  }

  #exchange(result: RequirementResult): string[] {
    const { dim, red, cyan } = this.#style.colors
    const exchange = this.#model.evidence.of(result)
    if (exchange === undefined) return []
    if (this.#exchanges.has(exchange.id)) {
      return field(margin, 'exchange', `${exchange.id}, shown above`, this.#style, dim)
    }
    this.#exchanges.add(exchange.id)
    const command = curlCommand(exchange)
    this.#commands.push(command)
    const read = readParts([result])
    const aboutHeader = exchange.response?.headers.some(({ name }) => read.header(name)) ?? false
    const body = aboutHeader ? bodyBesideHeader : bodyLimits
    const lines = exchangeLines(exchange, { read, requestDetails: false, body })
    return [
      ...field(margin, 'exchange', exchangeTitle(exchange, result), this.#style, dim),
      ...lines.flatMap(({ text, isRead }) => {
        const [first, rest] = [text.slice(0, 2), text.slice(2)]
        if (!isRead) return hanging(`${indent}${first}`, rest, this.#style)
        return hanging(`${mark.padStart(margin - 1)} ${first}`, rest, this.#style, red)
      }),
      // Neither wrapped nor indented after its first row: it is there to be copied.
      `${indent}${cyan(printableText(command))}`,
    ]
  }
}
