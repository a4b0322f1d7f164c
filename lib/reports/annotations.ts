import { printableSentence } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { textOf } from './document.ts'
import { requestLine } from './exchange-text.ts'
import type { ReportModel } from './model.ts'
import { abbreviatedIds, waiverText } from './report-text.ts'

/** GitHub shows only this many of each kind for one step of a job. */
const MAX_ANNOTATIONS = 10

interface Annotation {
  title: string
  lines: string[]
  ids: string[]
}

function escapedMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** Formats at most `MAX_ANNOTATIONS` commands; the last one summarizes the others. */
function commands(
  kind: 'error' | 'warning',
  all: Annotation[],
  rest: (count: number) => string,
): string {
  const omitted = all.length > MAX_ANNOTATIONS ? all.slice(MAX_ANNOTATIONS - 1) : []
  const ids = omitted.flatMap((annotation) => annotation.ids)
  const more = { title: rest(omitted.length), lines: [abbreviatedIds(ids)] }
  return [...all.slice(0, all.length - omitted.length), ...(omitted.length === 0 ? [] : [more])]
    .map(({ title, lines }) => {
      const message = lines.map((line) => printableSentence(line, 300)).join('\n')
      const property = escapedMessage(printableSentence(title, 160)).replaceAll(':', '%3A')
      return `::${kind} title=${property.replaceAll(',', '%2C')}::${escapedMessage(message)}\n`
    })
    .join('')
}

/** Returns workflow commands: errors for failures, warnings for inconclusive requirements. */
export function annotations(model: ReportModel): string {
  const { failed, failingWaivers, inconclusive } = model
  const failures = failed.map(({ result, details, evidence }): Annotation => {
    const { requirement, statement, section } = result
    const facts = details.map(({ label, text = '' }) => `${label}: ${textOf(text)}`)
    const request = evidence ? [requestLine(evidence.exchange)] : []
    const lines = [`${statement} (${section})`, ...facts, ...request]
    return { title: requirement, lines, ids: [requirement] }
  })
  const waivers = failingWaivers.map((waiver) => ({
    title: `waiver of ${waiver.requirement}`,
    lines: [waiver.message, waiverText(waiver)],
    ids: [waiver.requirement],
  }))
  const belowMinimum = {
    title: `fewer than ${model.outcome.coverage.required} were judged (--min-judged)`,
    lines: [model.title],
    ids: [],
  }
  const coverage = model.outcome.isBelowMinimum ? [belowMinimum] : []
  const warnings = inconclusive.map(({ reason, results }) => {
    const ids = results.map(({ requirement }) => requirement)
    const title = `${counted(ids.length, 'requirement is', 'requirements are')} inconclusive`
    return { title, lines: [reason, abbreviatedIds(ids)], ids }
  })
  const noun = waivers.length + coverage.length === 0 ? 'requirements failed' : 'failures'
  return (
    commands('error', [...coverage, ...failures, ...waivers], (count) => `${count} more ${noun}`) +
    commands('warning', warnings, (count) => `${count} more inconclusive groups`)
  )
}

export const maskCommands = (values: readonly string[]) =>
  values.map((value) => `::add-mask::${escapedMessage(value)}\n`).join('')
