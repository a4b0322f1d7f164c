import type {
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
} from '../conformance/result.ts'
import { type Evidence, requestLine } from './evidence.ts'
import { waiverText } from './list-words.ts'
import { reportModel } from './model.ts'
import { printableSentence, shortened } from './printable.ts'
import { abbreviatedIds, type ReasonGroup } from './reason-groups.ts'
import { counted } from './run-words.ts'

/** GitHub shows no more of each kind for one step of a job. */
const shown = 10

const titleLength = 160
const partLength = 300

/** A workflow command of GitHub Actions that is not written out yet. */
interface Annotation {
  kind: 'error' | 'warning'
  title: string
  /** The lines of the message. */
  lines: string[]
}

function escapedMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function command({ kind, title, lines }: Annotation): string {
  const parts = lines.map((line) => shortened(printableSentence(line), partLength))
  const name = shortened(printableSentence(title), titleLength)
  return `::${kind} title=${escapedProperty(name)}::${escapedMessage(parts.join('\n'))}\n`
}

function failure(result: RequirementResult, evidence: Evidence): Annotation {
  const { requirement, statement, section, expected, actual, reason } = result
  const exchange = evidence.of(result)
  const compared = expected !== undefined || actual !== undefined
  return {
    kind: 'error',
    title: requirement,
    lines: [
      `${statement} (${section})`,
      ...(expected === undefined ? [] : [`expected: ${expected}`]),
      ...(actual === undefined ? [] : [`actual: ${actual}`]),
      ...(compared || reason === undefined ? [] : [`reason: ${reason}`]),
      ...(exchange === undefined ? [] : [requestLine(exchange)]),
    ],
  }
}

function withoutVerdict({ reason, results }: ReasonGroup): Annotation {
  return {
    kind: 'warning',
    title: `no verdict on ${counted(results.length, 'requirement', 'requirements')}`,
    lines: [reason, abbreviatedIds(results.map(({ requirement }) => requirement))],
  }
}

function failingWaiver(waiver: ReviewedWaiver): Annotation {
  return {
    kind: 'error',
    title: `waiver of ${waiver.requirement}`,
    lines: [waiver.message, waiverText(waiver)],
  }
}

function changedPin({ id, before, after }: ReviewedPin): Annotation {
  return {
    kind: 'error',
    title: `${id} changed since the baseline`,
    lines: [`was: ${JSON.stringify(before)}`, `is: ${JSON.stringify(after)}`],
  }
}

/** As many as GitHub shows; where there are more, the last of these stands for all that are left. */
function limited<Item>(
  items: readonly Item[],
  annotation: (item: Item) => Annotation,
  rest: (items: readonly Item[]) => Annotation,
): Annotation[] {
  if (items.length <= shown) return items.map(annotation)
  return [...items.slice(0, shown - 1).map(annotation), rest(items.slice(shown - 1))]
}

/**
 * Workflow commands with which GitHub Actions shows at a job what is wrong, one a line: an error for
 * each failure of a row, waiver or pinned observation, a warning for each reason why there was no verdict, at most ten of each. Empty when
 * there is neither.
 */
export function annotations(report: RunReport): string {
  const { failed, failingWaivers, failingPins, unjudged, evidence } = reportModel(report)
  const errors = [
    ...failed.map(({ result }) => ({ id: result.requirement, told: failure(result, evidence) })),
    ...failingWaivers.map((waiver) => ({ id: waiver.requirement, told: failingWaiver(waiver) })),
    ...failingPins.map((pin) => ({ id: pin.id, told: changedPin(pin) })),
  ]
  const what = errors.length === failed.length ? 'requirements failed' : 'failures'
  const all = [
    ...limited(
      errors,
      ({ told }) => told,
      (left) => ({
        kind: 'error',
        title: `${left.length} more ${what}`,
        lines: [abbreviatedIds(left.map(({ id }) => id))],
      }),
    ),
    ...limited(unjudged, withoutVerdict, (left) => ({
      kind: 'warning',
      title: `no verdict for ${left.length} more reasons`,
      lines: [abbreviatedIds(left.flatMap((group) => group.results.map((r) => r.requirement)))],
    })),
  ]
  return all.map(command).join('')
}

/**
 * The text without what a line of it could make GitHub Actions do. Its runner obeys a line that
 * begins with two colons, however far it is indented, and the older `##[…]` anywhere; what follows
 * does not matter. The first character of these is written out, as everything is that is obeyed.
 */
export function withoutWorkflowCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a').replace(/#(?=#\[)/g, '\\u0023')
}
