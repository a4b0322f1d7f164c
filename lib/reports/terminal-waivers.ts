import type {
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
} from '../conformance/result.ts'
import { pinsIn } from './baseline-words.ts'
import { excerpt, printableLine, printableSentence, shortened } from './printable.ts'
import { deviationText } from './terminal-lists.ts'
import { field, hanging, heading, type TerminalStyle } from './terminal-style.ts'
import { failingWaivers, unjudgedWaivers, waiverNote, waiverText } from './waiver-words.ts'

const margin = 6
const shownPins = 20
const longestText = 400
const valueLimits = { characters: 240, lines: 1 }

function sentence(text: string): string {
  return shortened(printableSentence(text), longestText)
}

/** Rows that fail and are waived, each with who answers for it and until when. */
export function waivedSection(
  results: readonly RequirementResult[],
  report: RunReport,
  style: TerminalStyle,
): string[] {
  if (results.length === 0) return []
  const { colors } = style
  const indent = ' '.repeat(margin)
  const rows = heading('Waived', results.length, colors.bold)
  for (const result of results) {
    const { requirement, waiver } = result
    const note = waiverNote(result, report)
    rows.push(
      ...hanging('  ', printableSentence(requirement), style),
      ...(waiver === undefined ? [] : hanging(indent, sentence(waiverText(waiver)), style)),
      ...(note === undefined ? [] : hanging(indent, sentence(note), style, colors.dim)),
      ...hanging(indent, deviationText(result), style, colors.dim),
    )
  }
  return rows
}

function waiverRows(waiver: ReviewedWaiver, style: TerminalStyle): string[] {
  const indent = ' '.repeat(margin)
  return [
    ...hanging('  ', sentence(waiver.requirement), style),
    ...hanging(indent, sentence(waiver.message), style),
    ...hanging(indent, sentence(waiverText(waiver)), style, style.colors.dim),
  ]
}

/** Entries of which nobody knows whether they are still needed. */
export function unjudgedWaiverSection(report: RunReport, style: TerminalStyle): string[] {
  const waivers = unjudgedWaivers(report)
  if (waivers.length === 0) return []
  return [
    ...heading('Waivers that were not tried', waivers.length, style.colors.bold),
    ...waivers.flatMap((waiver) => waiverRows(waiver, style)),
  ]
}

/** Entries that fail the run, each with what to do. */
export function waiverProblemSection(report: RunReport, style: TerminalStyle): string[] {
  const waivers = failingWaivers(report)
  if (waivers.length === 0) return []
  const { colors } = style
  return [
    ...heading('Waivers that fail the run', waivers.length, (text) =>
      colors.bold(colors.red(text)),
    ),
    ...waivers.flatMap((waiver) => waiverRows(waiver, style)),
  ]
}

function json(value: unknown): string {
  return printableLine(excerpt(JSON.stringify(value) ?? 'nothing', valueLimits))
}

function pinRows({ id, state, before, after }: ReviewedPin, style: TerminalStyle): string[] {
  const { colors } = style
  const name = hanging('  ', printableSentence(id), style)
  if (state === 'new') return [...name, ...field(margin, 'is', json(after), style)]
  return [
    ...name,
    ...field(margin, 'was', json(before), style, colors.green),
    ...field(margin, 'is', json(after), style, colors.yellow),
  ]
}

function pinSection(title: string, pins: readonly ReviewedPin[], style: TerminalStyle): string[] {
  if (pins.length === 0) return []
  const { colors } = style
  const left = pins.length - shownPins
  return [
    ...heading(title, pins.length, (text) => colors.bold(colors.yellow(text))),
    ...pins.slice(0, shownPins).flatMap((pin) => pinRows(pin, style)),
    ...(left > 0 ? [colors.dim(`  and ${left} more observations, in report.json`)] : []),
  ]
}

/** What the deployment does otherwise than when the baseline was written. */
export function baselineSection(report: RunReport, style: TerminalStyle): string[] {
  return [
    ...pinSection('Not in the baseline', pinsIn('new', report), style),
    ...pinSection('Changed since the baseline', pinsIn('changed', report), style),
  ]
}
