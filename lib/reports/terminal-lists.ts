import type { Observation, ReviewedPin, ReviewedWaiver } from '../conformance/result.ts'
import { leftBehindText, mayExistNotes, sweepAdvice, waiverText } from './list-words.ts'
import { countIn, type Deviation, type ReportModel } from './model.ts'
import { excerpt, printableLine, printableSentence, shortened } from './printable.ts'
import { abbreviatedIds, type ReasonGroup } from './reason-groups.ts'
import { field, hanging, heading, type Paint, type TerminalStyle } from './terminal-style.ts'

const shownAtMost = { deviations: 20, observations: 40, pins: 20, leftBehind: 20 }
const widestId = 60
const margin = 6
const indent = ' '.repeat(margin)
const longestDeviation = 240
const longestText = 400
const pinLimits = { characters: 240, lines: 1 }

/** How a list looks that is not like most. */
interface ListLook {
  paint?: Paint
  /** How many items are shown, and what those are called that are left out. */
  most?: number
  what?: string
}

/** A heading and the rows of each item; nothing where there is none. */
function list<Item>(
  title: string,
  items: readonly Item[],
  rows: (item: Item) => string[],
  { colors }: TerminalStyle,
  { paint = colors.bold, most = items.length, what = '' }: ListLook = {},
): string[] {
  if (items.length === 0) return []
  const left = items.length - most
  return [
    ...heading(title, items.length, paint),
    ...items.slice(0, most).flatMap(rows),
    ...(left > 0 ? [colors.dim(`  and ${left} more ${what}, in report.json`)] : []),
  ]
}

function sentence(text: string, length = longestText): string {
  return shortened(printableSentence(text), length)
}

/** Results in brief: one entry for each reason, its number in front, its requirements after it. */
function reasonList(title: string, groups: readonly ReasonGroup[], style: TerminalStyle): string[] {
  if (groups.length === 0) return []
  const digits = String(groups[0]?.results.length ?? 0).length
  const rows = groups.flatMap(({ reason, results }) => {
    const number = String(results.length).padStart(digits)
    const ids = abbreviatedIds(results.map(({ requirement }) => requirement))
    return [
      ...hanging(`  ${number}  `, printableSentence(reason), style),
      ...hanging(' '.repeat(digits + 6), printableSentence(ids), style, style.colors.dim),
    ]
  })
  return [...heading(title, countIn(groups), style.colors.bold), ...rows]
}

/** A deviation that does not fail the run, with who answers for it where it is waived. */
function deviationRows({ result, text, note }: Deviation, style: TerminalStyle): string[] {
  const { requirement, waiver } = result
  const { dim } = style.colors
  return [
    ...hanging('  ', printableSentence(requirement), style),
    ...(waiver === undefined ? [] : hanging(indent, sentence(waiverText(waiver)), style)),
    ...(note === undefined ? [] : hanging(indent, sentence(note), style, dim)),
    ...hanging(indent, sentence(text, longestDeviation), style, dim),
  ]
}

function waiverRows(waiver: ReviewedWaiver, style: TerminalStyle): string[] {
  return [
    ...hanging('  ', sentence(waiver.requirement), style),
    ...hanging(indent, sentence(waiver.message), style),
    ...hanging(indent, sentence(waiverText(waiver)), style, style.colors.dim),
  ]
}

/** What the deployment does where its document is silent: `id = value`, one row for each. */
function observationList(observations: readonly Observation[], style: TerminalStyle): string[] {
  const most = shownAtMost.observations
  const lengths = observations.slice(0, most).map(({ id }) => id.length)
  const width = Math.min(widestId, Math.max(...lengths), Math.floor(style.width * 0.6))
  const row = ({ id, value }: Observation) => {
    const name = printableSentence(id).padEnd(width)
    const text = printableLine(JSON.stringify(value) ?? 'undefined')
    return [shortened(`  ${name} = ${text}`, style.width)]
  }
  return list('Observations', observations, row, style, { most, what: 'observations' })
}

/** What someone has to delete on the target. */
function leftBehindList({ report }: ReportModel, style: TerminalStyle): string[] {
  const { leftBehind } = report
  if (leftBehind.length === 0) return []
  const { colors } = style
  const advice = sweepAdvice(leftBehind, (text) => (text.includes(' ') ? `"${text}"` : text))
  return [
    ...list(
      'Left behind on the target',
      leftBehind,
      (left) => hanging('  ', printableSentence(leftBehindText(left)), style),
      style,
      {
        paint: (text) => colors.bold(colors.yellow(text)),
        most: shownAtMost.leftBehind,
        what: 'things',
      },
    ),
    ...hanging('  ', [...mayExistNotes(leftBehind), advice].join(' '), style, colors.dim),
  ]
}

function pinRows({ id, state, before, after }: ReviewedPin, style: TerminalStyle): string[] {
  const { colors } = style
  const name = hanging('  ', printableSentence(id), style)
  const json = (value: unknown) =>
    printableLine(excerpt(JSON.stringify(value) ?? 'nothing', pinLimits))
  if (state === 'new') return [...name, ...field(margin, 'is', json(after), style)]
  return [
    ...name,
    ...field(margin, 'was', json(before), style, colors.green),
    ...field(margin, 'is', json(after), style, colors.yellow),
  ]
}

/** What does not fail the run, the least important first. */
export function listRows(model: ReportModel, style: TerminalStyle): string[] {
  const { advisory, untriedWaivers } = model
  const ofDeviation = (deviation: Deviation) => deviationRows(deviation, style)
  return [
    ...observationList(model.report.observations, style),
    ...reasonList('Passed with a reservation', model.reserved, style),
    ...reasonList('Skipped', model.skipped, style),
    ...list('Waived', model.waived, ofDeviation, style),
    ...list('Advisory', advisory, ofDeviation, style, {
      most: shownAtMost.deviations,
      what: 'requirements',
    }),
    ...list('Waivers that were not tried', untriedWaivers, (it) => waiverRows(it, style), style),
    ...leftBehindList(model, style),
  ]
}

/** What the deployment does otherwise than when the baseline was written. */
export function baselineRows(
  { newPins, changedPins }: ReportModel,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const look: ListLook = {
    paint: (text) => colors.bold(colors.yellow(text)),
    most: shownAtMost.pins,
    what: 'observations',
  }
  const rows = (pin: ReviewedPin) => pinRows(pin, style)
  return [
    ...list('Not in the baseline', newPins, rows, style, look),
    ...list('Changed since the baseline', changedPins, rows, style, look),
  ]
}

/** Entries of the waivers that fail the run, each with what to do. */
export function failingWaiverRows({ failingWaivers }: ReportModel, style: TerminalStyle): string[] {
  const { bold, red } = style.colors
  const rows = (waiver: ReviewedWaiver) => waiverRows(waiver, style)
  return list('Waivers that fail the run', failingWaivers, rows, style, {
    paint: (text) => bold(red(text)),
  })
}
