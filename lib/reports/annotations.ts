import type { RunReport } from '../conformance/result.ts'
import { type Evidence, requestLine } from './evidence.ts'
import { type Failure, reportModel } from './model.ts'
import { printableSentence, shortened } from './printable.ts'
import { abbreviatedIds } from './reason-groups.ts'
import { counted, waiverText } from './run-words.ts'

/** GitHub shows no more of each kind for one step of a job. */
const shown = 10

const titleLength = 160
const partLength = 300

/** A workflow command of GitHub Actions that is not written out yet. */
interface Annotation {
  title: string
  lines: string[]
  ids: string[]
}

function escapedMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** As many as GitHub shows: the last of them stands for all that are left. */
function commands(
  kind: 'error' | 'warning',
  all: Annotation[],
  rest: (count: number) => string,
): string {
  const left = all.length > shown ? all.slice(shown - 1) : []
  const ids = left.flatMap((annotation) => annotation.ids)
  const more = { title: rest(left.length), lines: [abbreviatedIds(ids)], ids }
  return [...all.slice(0, all.length - left.length), ...(left.length === 0 ? [] : [more])]
    .map(({ title, lines }) => {
      const parts = lines.map((line) => shortened(printableSentence(line), partLength))
      const name = escapedProperty(shortened(printableSentence(title), titleLength))
      return `::${kind} title=${name}::${escapedMessage(parts.join('\n'))}\n`
    })
    .join('')
}

function failure({ result }: Failure, evidence: Evidence): Annotation {
  const { requirement, statement, section, expected, actual, reason } = result
  const exchange = evidence.of(result)
  const compared = expected !== undefined || actual !== undefined
  return {
    title: requirement,
    lines: [
      `${statement} (${section})`,
      ...(expected === undefined ? [] : [`expected: ${expected}`]),
      ...(actual === undefined ? [] : [`actual: ${actual}`]),
      ...(compared || reason === undefined ? [] : [`reason: ${reason}`]),
      ...(exchange === undefined ? [] : [requestLine(exchange)]),
    ],
    ids: [requirement],
  }
}

/** Workflow commands: errors for what fails the run, warnings for what got no verdict. */
export function annotations(report: RunReport): string {
  const { failed, failingWaivers, failingDiffs, unjudged, evidence } = reportModel(report)
  const errors = [
    ...failed.map((one) => failure(one, evidence)),
    ...failingWaivers.map((waiver) => ({
      title: `waiver of ${waiver.requirement}`,
      lines: [waiver.message, waiverText(waiver)],
      ids: [waiver.requirement],
    })),
    ...failingDiffs.map(({ id, before, after }) => ({
      title: `${id} changed since the baseline`,
      lines: [`was: ${JSON.stringify(before)}`, `is: ${JSON.stringify(after)}`],
      ids: [id],
    })),
  ]
  const warnings = unjudged.map(({ reason, results }) => {
    const ids = results.map(({ requirement }) => requirement)
    const title = `no verdict on ${counted(ids.length, 'requirement', 'requirements')}`
    return { title, lines: [reason, abbreviatedIds(ids)], ids }
  })
  const what = errors.length === failed.length ? 'requirements failed' : 'failures'
  return (
    commands('error', errors, (count) => `${count} more ${what}`) +
    commands('warning', warnings, (count) => `no verdict for ${count} more reasons`)
  )
}

/**
 * The text without what a line of it could make GitHub Actions do. Its runner obeys a line that
 * begins with two colons, however far it is indented, and the older `##[…]` anywhere; what follows
 * does not matter. The first character of these is written out, as everything is that is obeyed.
 */
export function withoutWorkflowCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a').replace(/#(?=#\[)/g, '\\u0023')
}
