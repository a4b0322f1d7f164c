import type { LeftBehind, Observation, RequirementResult } from '../conformance/result.ts'
import { saysOnlyWhatDiffers } from './evidence.ts'
import { leftBehindText, mayExistNotes } from './left-behind-words.ts'
import { printableLine, printableSentence, shortened } from './printable.ts'
import { abbreviatedIds, groupByReason } from './reason-groups.ts'
import { hanging, heading, type TerminalStyle } from './terminal-style.ts'

const shownDeviations = 20
const shownObservations = 40
const shownLeftBehind = 20
const widestId = 60

function rest(count: number, what: string, style: TerminalStyle): string[] {
  if (count <= 0) return []
  return [style.colors.dim(`  and ${count} more ${what}, in report.json`)]
}

/** Results in brief: one entry for each reason, its number in front, its requirements after it. */
export function groupedSection(
  title: string,
  results: readonly RequirementResult[],
  style: TerminalStyle,
): string[] {
  if (results.length === 0) return []
  const groups = groupByReason(results)
  const digits = String(groups[0]?.results.length ?? 0).length
  const rows = heading(title, results.length, style.colors.bold)
  for (const group of groups) {
    const number = String(group.results.length).padStart(digits)
    const ids = abbreviatedIds(group.results.map(({ requirement }) => requirement))
    rows.push(
      ...hanging(`  ${number}  `, printableSentence(group.reason), style),
      ...hanging(' '.repeat(digits + 6), printableSentence(ids), style, style.colors.dim),
    )
  }
  return rows
}

/** What deviates in one row, cut where it is long. */
export function deviationText(result: RequirementResult): string {
  const { reason, expected, actual } = result
  const parts = [
    ...(reason === undefined || saysOnlyWhatDiffers(result) ? [] : [reason]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ]
  return shortened(printableSentence(parts.join('; ')), 240)
}

/** Deviations that do not fail the run, one entry for each. */
export function deviationSection(
  title: string,
  results: readonly RequirementResult[],
  style: TerminalStyle,
): string[] {
  if (results.length === 0) return []
  const rows = heading(title, results.length, style.colors.bold)
  for (const result of results.slice(0, shownDeviations)) {
    rows.push(
      ...hanging('  ', printableSentence(result.requirement), style),
      ...hanging('      ', deviationText(result), style, style.colors.dim),
    )
  }
  return [...rows, ...rest(results.length - shownDeviations, 'requirements', style)]
}

/** What the deployment does where its document is silent: `id = value`, one row for each. */
export function observationSection(
  observations: readonly Observation[],
  style: TerminalStyle,
): string[] {
  if (observations.length === 0) return []
  const shown = observations.slice(0, shownObservations)
  const widest = Math.min(widestId, Math.max(...shown.map(({ id }) => id.length)))
  const rows = heading('Observations', observations.length, style.colors.bold)
  for (const { id, value } of shown) {
    const name = printableSentence(id).padEnd(Math.min(widest, Math.floor(style.width * 0.6)))
    const text = printableLine(JSON.stringify(value) ?? 'undefined')
    rows.push(shortened(`  ${name} = ${text}`, style.width))
  }
  return [...rows, ...rest(observations.length - shownObservations, 'observations', style)]
}

/** What someone has to delete on the target. */
export function leftBehindSection(
  leftBehind: readonly LeftBehind[],
  style: TerminalStyle,
): string[] {
  if (leftBehind.length === 0) return []
  const { colors } = style
  const rows = heading('Left behind on the target', leftBehind.length, (text) =>
    colors.bold(colors.yellow(text)),
  )
  for (const left of leftBehind.slice(0, shownLeftBehind)) {
    rows.push(...hanging('  ', printableSentence(leftBehindText(left)), style))
  }
  const advice =
    '"plumbline sweep" takes these away by the ledger in the reports directory, where ' +
    'CODE_HOSTING_TOKEN_DELETE_PATH says how. Otherwise delete them by hand.'
  return [
    ...rows,
    ...rest(leftBehind.length - shownLeftBehind, 'things', style),
    ...hanging('  ', [...mayExistNotes(leftBehind), advice].join(' '), style, colors.dim),
  ]
}
