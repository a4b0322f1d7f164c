import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { abbreviatedIds } from './abbreviate-ids.ts'
import { exchangeLines, placeInBody, readParts, requestLine } from './evidence.ts'
import { counted, waiverText } from './format.ts'
import { reportModel } from './model.ts'
import { printableSentence, truncate } from './printable.ts'
import type { PreviousRuns } from './run-changes.ts'

/** GitHub shows no more of each kind for one step of a job. */
const shown = 10

interface Annotation {
  title: string
  lines: string[]
  ids: string[]
}

function escapedMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function sentence(text: string, length: number): string {
  return truncate(printableSentence(text), length)
}

/** As many as GitHub shows: the last of them stands for all that are left. */
function commands(
  kind: 'error' | 'warning',
  all: Annotation[],
  rest: (count: number) => string,
): string {
  const left = all.length > shown ? all.slice(shown - 1) : []
  const ids = left.flatMap((annotation) => annotation.ids)
  const more = { title: rest(left.length), lines: [abbreviatedIds(ids)] }
  return [...all.slice(0, all.length - left.length), ...(left.length === 0 ? [] : [more])]
    .map(({ title, lines }) => {
      const message = lines.map((line) => sentence(line, 300)).join('\n')
      const property = escapedMessage(sentence(title, 160)).replaceAll(':', '%3A')
      return `::${kind} title=${property.replaceAll(',', '%2C')}::${escapedMessage(message)}\n`
    })
    .join('')
}

/** Returns what is wrong in the body of a response, with its place. */
function placeLine(result: RequirementResult, exchange: ExchangeRecord): string[] {
  const place = placeInBody(result)
  if (place === undefined) return []
  const body = { characters: 200, lines: 1 }
  const lines = exchangeLines(exchange, { read: readParts([result]), requestDetails: false, body })
  const marked = lines.flatMap(({ text, isRead }) => (isRead ? text.slice(2).trim() : []))
  return [`at ${place}${marked.length === 0 ? '' : `: ${marked.join(' ')}`}`]
}

/** Workflow commands: errors for what fails the run, warnings for what got no verdict. */
export function annotations(report: RunReport, past: PreviousRuns = {}): string {
  const model = reportModel(report, past)
  const { failed, failingWaivers, failingDiffs, unjudged, evidence, shortfall } = model
  const failures = failed.map(({ result }): Annotation => {
    const { requirement, statement, section, expected, actual, reason, waiver } = result
    const facts = Object.entries({ expected, actual }).filter(([, text]) => text !== undefined)
    const isNeeded = facts.length === 0 || waiver !== undefined
    const told = [...facts, ...(isNeeded && reason !== undefined ? [['reason', reason]] : [])]
    const exchange = evidence.of(result)
    return {
      title: requirement,
      lines: [
        `${statement} (${section})`,
        ...told.map(([name, text]) => `${name}: ${text}`),
        ...(exchange === undefined ? [] : [...placeLine(result, exchange), requestLine(exchange)]),
      ],
      ids: [requirement],
    }
  })
  const waivers = failingWaivers.map((waiver) => ({
    title: `waiver of ${waiver.requirement}`,
    lines: [waiver.message, waiverText(waiver)],
    ids: [waiver.requirement],
  }))
  const diffs = failingDiffs.map(({ id, before, after }) => ({
    title: `${id} changed since the baseline`,
    lines: [`was: ${JSON.stringify(before)}`, `is: ${JSON.stringify(after)}`],
    ids: [id],
  }))
  const short = {
    title: `fewer were judged than the ${model.summary.coverage.required} of --min-judged`,
    lines: [model.title, ...(shortfall ?? []).map(({ label, text }) => `${label}: ${text}`)],
    ids: [],
  }
  const fewer = shortfall === undefined ? [] : [short]
  const warnings = unjudged.map(({ reason, results }) => {
    const ids = results.map(({ requirement }) => requirement)
    const title = `no verdict on ${counted(ids.length, 'requirement', 'requirements')}`
    return { title, lines: [reason, abbreviatedIds(ids)], ids }
  })
  const what =
    waivers.length + diffs.length + fewer.length === 0 ? 'requirements failed' : 'failures'
  return (
    commands(
      'error',
      [...fewer, ...failures, ...waivers, ...diffs],
      (count) => `${count} more ${what}`,
    ) + commands('warning', warnings, (count) => `no verdict for ${count} more reasons`)
  )
}

/** Workflow commands: GitHub Actions masks these values in what follows in the log. */
export const maskCommands = (values: readonly string[]) =>
  values.map((value) => `::add-mask::${escapedMessage(value)}\n`).join('')
