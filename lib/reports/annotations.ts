import { printableSentence } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { requestLine } from './exchange-text.ts'
import { type ReportModel, textOf, waiverSpans } from './facts.ts'
import { abbreviatedIds } from './report-text.ts'

/** GitHub shows only this many of each kind for one step of a job. */
const MAX_ANNOTATIONS = 10

interface Annotation {
  title: string
  lines: string[]
  ids?: string[]
}

const escapedMessage = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Formats at most `MAX_ANNOTATIONS` commands; the last one summarizes the others. */
function commands(kind: 'error' | 'warning', noun: string, all: readonly Annotation[]): string {
  const omitted = all.length > MAX_ANNOTATIONS ? all.slice(MAX_ANNOTATIONS - 1) : []
  const ids = omitted.flatMap((one) => one.ids ?? [])
  const rest = { title: `${omitted.length} more ${noun}`, lines: [abbreviatedIds(ids)] }
  return [...all.slice(0, all.length - omitted.length), ...(omitted.length === 0 ? [] : [rest])]
    .map(({ title, lines }) => {
      const message = lines.map((line) => printableSentence(line, 300)).join('\n')
      const property = escapedMessage(printableSentence(title, 160)).replaceAll(':', '%3A')
      return `::${kind} title=${property.replaceAll(',', '%2C')}::${escapedMessage(message)}\n`
    })
    .join('')
}

/** Returns workflow commands: errors for failures, warnings for inconclusive requirements. */
export function annotations(model: ReportModel): string {
  const { failed, failingWaivers, inconclusive, outcome, title } = model
  const failures = failed.map(({ result, details, evidence }): Annotation => {
    const { requirement, statement, section } = result
    const facts = details.map(({ label, text }) => `${label}: ${textOf(text)}`)
    const lines = [`${statement} (${section})`, ...facts]
    if (evidence) lines.push(requestLine(evidence.exchange))
    return { title: requirement, lines, ids: [requirement] }
  })
  const waivers = failingWaivers.map(({ requirement, message, ...waiver }): Annotation => {
    const lines = [message, textOf(waiverSpans(waiver))]
    return { title: `waiver of ${requirement}`, lines, ids: [requirement] }
  })
  const below = { title: '--min-judged', lines: [title] }
  const others = [...(outcome.isBelowMinimum ? [below] : []), ...failures]
  const warnings = inconclusive.map(({ reason, results }): Annotation => {
    const ids = results.map(({ requirement }) => requirement)
    const title = `${counted(ids.length, 'requirement is', 'requirements are')} inconclusive`
    return { title, lines: [reason, abbreviatedIds(ids)], ids }
  })
  return (
    commands('error', 'failures', [...others, ...waivers]) +
    commands('warning', 'inconclusive groups', warnings)
  )
}
