import { joinNames } from '../environment/errors.ts'
import { groupBy } from '../environment/group-by.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Reason, ReasonOf, UnmetNeed } from '../results/reason.ts'
import {
  deviationText,
  type RequirementResult,
  type RunReport,
  type UncheckedPart,
} from '../results/run-report.ts'
import { counted } from './format.ts'
import { truncate } from './printable.ts'

/** An exchange as a reason names it. */
interface NamedExchange {
  request: string
  status: string
}

/** How reasons name the exchanges of a run. */
export type ExchangeNames = (id: string | undefined) => NamedExchange

/** Returns names of exchanges by method and URL; with `isShared` by origin, for a reason of several results. */
export function exchangeNames(
  exchanges: readonly ExchangeRecord[],
  { isShared = false } = {},
): ExchangeNames {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return (id = '') => {
    const { request, response, error } = byId.get(id) ?? {}
    const status = String(response?.status ?? error ?? 'no status')
    if (request === undefined) return { request: 'a request', status }
    if (!isShared) return { request: `${request.method} ${request.url}`, status }
    return { request: `a request to ${new URL(request.url).origin}`, status }
  }
}

/** Returns why needs are not met: their own reasons, and the variables that are not set. */
export function needsText(needs: readonly Pick<UnmetNeed, 'variables' | 'reason'>[]): string {
  const reasons = new Set(needs.flatMap(({ reason }) => reason ?? []))
  const unset = new Set(needs.flatMap(({ reason, variables }) => (reason ? [] : variables)))
  const verb = unset.size === 1 ? 'is' : 'are'
  if (unset.size > 0) reasons.add(`${joinNames([...unset])} ${verb} not set`)
  return [...reasons].join('; ')
}

function interruptedText({ by, before }: ReasonOf<'interrupted'>): string {
  const broken = before ? 'the run ended' : 'the run broke off because of a defect of Plumbline'
  const end = by === 'operator' ? 'the run was interrupted' : broken
  const hint = before && by === 'internal error' ? '; what it told on standard error says why' : ''
  return `${end}${before ? ' before this was judged' : ''}${hint}`
}

function stoppedText(
  { failures, lastedMs = 0, path }: ReasonOf<'stopped'>,
  { request, status }: NamedExchange,
): string {
  return path === undefined
    ? `the service stopped answering: ${failures} attempts in a row, within ` +
        `${Math.round(lastedMs / 1000)} s, brought no answer of its own (the last of them ${request}: ${status})`
    : `${path} is not asked for any more: ${failures} times in a row it had no answer within the ` +
        'time limit (PROBE_TIMEOUT_MS)'
}

const absences = {
  nothing: 'cannot be reached',
  certificate: 'cannot be reached',
  unreadable: 'gives no answer that can be read',
  gateway: 'gives no answer of its own',
}

function textWithoutControl(reason: Reason, named: ExchangeNames): string {
  const answered = (id: string | undefined): string => {
    const { request, status } = named(id)
    return `${request} was answered with ${status}`
  }
  switch (reason.kind) {
    case 'needs':
      return needsText(reason.needs)
    case 'no control':
      return reason.text ?? `what should succeed did not: ${answered(reason.exchange)}`
    case 'response':
      return `${reason.text}: ${answered(reason.exchange)}`
    case 'not observed': {
      const { text, status, exchanges = [] } = reason
      const others = exchanges.map(named).map((other) => `${other.request}: ${other.status}`)
      return text ?? `needs a response with ${status} (${others.join(', ')})`
    }
    case 'settings':
      return `${reason.text ?? answered(reason.exchange)}: check ${joinNames(reason.variables)}`
    case 'gateway':
    case 'invalid status': {
      const what = reason.kind === 'gateway' ? 'a gateway may have sent' : 'is no status of HTTP'
      return `${named(reason.exchange).request} was answered with ${reason.status}, which ${what}`
    }
    case 'transport':
    case 'unreadable':
      return `${named(reason.exchange).request}: ${reason.detail}`
    case 'stopped':
      return stoppedText(reason, named(reason.exchange))
    case 'no service': {
      const { baseUrl, variable, instead, because } = reason
      const hint = instead === 'certificate' ? '' : ` Is the server up, and is ${variable} right?`
      return `${baseUrl} ${absences[instead]}: ${reasonText(because, named)}.${hint}`
    }
    case 'untestable':
      return `cannot be tested: ${reason.why}`
    case 'not selected':
      return 'not selected'
    case 'interrupted':
      return interruptedText(reason)
    case 'defect':
      return `Plumbline could not judge this because of a defect of its own: ${reason.text}`
    default:
      return reason.text ?? ''
  }
}

/** Returns the words for a reason, without a full stop. */
export function reasonText(reason: Reason, named: ExchangeNames): string {
  const text = textWithoutControl(reason, named)
  return reason.control || reason.kind === 'no control' ? `no control: ${text}` : text
}

/** Returns the words for a reason as a sentence of its own. */
export function reasonSentence(reason: Reason, named: ExchangeNames): string {
  const text = reasonText(reason, named)
  // It begins with an address, and is one or two sentences.
  if (reason.kind === 'no service') return text
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function partText({ check, part, unjudged, reason }: UncheckedPart, named: ExchangeNames): string {
  const text = unjudged === undefined ? reason : reasonText(unjudged, named)
  if (part === undefined) return text
  const sentence = `${part} is left out: ${text}`
  return check === undefined ? `${sentence}.` : sentence
}

const MAX_REASONS = 4
/** The whole reasons are in `partial`, and beside the checks where those are reported. */
const MAX_REASON_CHARS = 80

/** `3 checks of the service did not run to their end: TOKEN is not set (2), the connection broke (1)` */
function checksText(parts: readonly UncheckedPart[], shared: ExchangeNames): string {
  const groups = [...groupBy(parts, (part) => partText(part, shared))]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([text, { length }]) => `${truncate(text, MAX_REASON_CHARS)} (${length})`)
  const more = groups.length - MAX_REASONS
  const shown = groups.slice(0, MAX_REASONS)
  if (more > 0) shown.push(counted(more, 'more reason', 'more reasons'))
  const checks = new Set(parts.map(({ check }) => check)).size
  return `${counted(checks, 'check', 'checks')} of the service did not run to the end: ${shown.join('; ')}`
}

/** Returns the words for what was left out; undefined if nothing was. */
function partialText(
  partial: readonly UncheckedPart[],
  named: ExchangeNames,
  shared: ExchangeNames,
): string | undefined {
  const own = partial.filter(({ check }) => check === undefined)
  const checks = partial.filter(({ check }) => check !== undefined)
  const texts = own.map((part) => partText(part, named))
  if (checks.length > 0) texts.push(checksText(checks, shared))
  return texts.length === 0 ? undefined : texts.join(' ')
}

const MAX_LISTED = 2
const MAX_LISTED_CHARS = 90

/** Returns the first texts of a list, cut, and the number of the others. */
export function firstTexts(texts: readonly string[], further = 0): string {
  const more = Math.max(0, texts.length - MAX_LISTED) + further
  const shown = texts.slice(0, MAX_LISTED).map((text) => truncate(text, MAX_LISTED_CHARS))
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Returns what a waiver covers of a failure, and what it does not. */
function exceededWaiverText(result: RequirementResult): string[] {
  const { verdict, waiver, deviations = [], furtherDeviations } = result
  if (verdict !== 'fail' || waiver === undefined) return []
  const seen = deviations.filter(({ waived }) => !waived).map(deviationText)
  const patterns = firstTexts([waiver.actual ?? []].flat())
  return [
    `Not covered by the waiver of ${waiver.owner}. Waived: ${patterns}. Seen: ${firstTexts(seen, furtherDeviations)}.`,
  ]
}

/** What the words for a result are made of, besides the result. */
type Words = { exchanges: readonly ExchangeRecord[]; run: Pick<RunReport['run'], 'seed'> }

/** Returns what is to be said of a deviating result besides expected and actual. */
export function deviationNotes(result: RequirementResult, { exchanges, run }: Words): string[] {
  const { partial = [], sample } = result
  const named = exchangeNames(exchanges)
  return [
    ...exceededWaiverText(result),
    partialText(partial, named, named) ?? [],
    sample === undefined ? [] : `Sample of seed ${run.seed}: ${sample}.`,
  ].flat()
}

/** Returns the words for the reason of a result; undefined for a pass without one. */
function resultText(result: RequirementResult, words: Words): string | undefined {
  const { verdict, unjudged, partial = [], expected, actual, exchanges, waiver } = result
  const named = exchangeNames(words.exchanges)
  if (unjudged !== undefined) return reasonText(unjudged, named)
  if (verdict === 'pass') {
    return partialText(partial, named, exchangeNames(words.exchanges, { isShared: true }))
  }
  const notes = deviationNotes(result, words)
  if (verdict === 'fail' && waiver !== undefined) return notes.join(' ')
  const difference = `${named(exchanges[0]).request}: expected ${expected}, got ${actual}`
  return notes.length === 0 ? difference : [`${difference}.`, ...notes].join(' ')
}

/** Returns a result with the words for its reasons: made here, once, from the data beside them. */
export function withReasonText(result: RequirementResult, words: Words): RequirementResult {
  const named = exchangeNames(words.exchanges)
  const reason = resultText(result, words)
  const partial = result.partial?.map((one) => ({ ...one, reason: partText(one, named) }))
  return { ...result, ...(reason && { reason }), ...(partial && { partial }) }
}

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'unjudged' | 'partial'>

export interface ReasonGroup<Result extends Reasoned = RequirementResult> {
  reason: string
  results: Result[]
}

/** Why each of the untestable is so never changes: one line is enough beside what does change. */
function ownText({ reason, unjudged }: Reasoned): string {
  if (unjudged?.kind === 'untestable') {
    return 'cannot be tested ("plumbline requirements" tells why)'
  }
  return reason ?? 'no reason was recorded'
}

/**
 * The largest group first. A server that cannot be reached is one reason, not one for each URL.
 *
 * @param exchanges those that the reasons name
 */
export function groupByReason<Result extends Reasoned>(
  results: readonly Result[],
  exchanges: readonly ExchangeRecord[] = [],
): ReasonGroup<Result>[] {
  const shared = exchangeNames(exchanges, { isShared: true })
  const sharedText = (result: Result): string => {
    const { unjudged, partial = [] } = result
    if (unjudged === undefined) return partialText(partial, shared, shared) ?? ownText(result)
    return unjudged.kind === 'untestable' ? ownText(result) : reasonText(unjudged, shared)
  }
  return [...groupBy(results, sharedText)]
    .map(([text, members]) => {
      const [first = text, ...others] = new Set(members.map(ownText))
      return { reason: others.length === 0 ? first : text, results: members }
    })
    .sort((one, other) => other.results.length - one.results.length)
}
