import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { NoServiceReason, Reason, ReasonOf, UnmetNeed } from '../results/reason.ts'
import type {
  JudgedCases,
  MissingCases,
  RequirementResult,
  RunReport,
} from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { joinNames } from '../text/names.ts'
import { capitalized, truncate } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'

interface NamedExchange {
  request: string
  /** Also for a shared reason, with the path. */
  requestWithPath?: string
  status: string
}

export type ExchangeNames = (id: string | undefined) => NamedExchange

/** Names exchanges by method and URL, or by origin if several results share the reason (`isShared`). */
export function exchangeNames(
  exchanges: readonly ExchangeRecord[],
  { isShared = false } = {},
): ExchangeNames {
  // Most results name no exchange.
  let byId: ReadonlyMap<string, ExchangeRecord> | undefined
  return (id = '') => {
    byId ??= new Map(exchanges.map((exchange) => [exchange.id, exchange]))
    const { request, response, error } = byId.get(id) ?? {}
    const status = String(response?.status ?? error ?? 'no status')
    if (request === undefined) return { request: 'a request', status }
    if (!isShared) return { request: `${request.method} ${request.url}`, status }
    const { origin, pathname } = new URL(request.url)
    const requestWithPath = `${request.method} ${origin}${pathname}`
    return { request: `a request to ${origin}`, requestWithPath, status }
  }
}

/** Returns why needs are not met: their reasons, and the variables that are not set. */
export function needsText(needs: readonly Pick<UnmetNeed, 'variables' | 'reason'>[]): string {
  const reasons = new Set(needs.flatMap(({ reason }) => reason ?? []))
  const unset = new Set(needs.flatMap(({ reason, variables }) => (reason ? [] : variables)))
  const verb = unset.size === 1 ? 'is' : 'are'
  if (unset.size > 0) reasons.add(`${joinNames([...unset])} ${verb} not set`)
  return [...reasons].join('; ')
}

function interruptedText({ by, before }: ReasonOf<'interrupted'>): string {
  const ended = before ? 'the run ended' : 'the run was aborted by an internal error of Plumbline'
  const event = by === 'operator' ? 'the run was interrupted' : ended
  const hint = before && by === 'internal error' ? '; see standard error' : ''
  return `${event}${before ? ' before this was judged' : ''}${hint}`
}

function stoppedText(
  { failures, lastedMs = 0, path, pausesMs }: ReasonOf<'stopped'>,
  { request, status }: NamedExchange,
): string {
  if (pausesMs !== undefined) {
    return (
      `the service requested pauses (Retry-After) of more than ${Math.round(pausesMs / 1000)} s in all (the last was ` +
      `${request}: ${status}); limit the requests with PROBE_REQUESTS_PER_SECOND`
    )
  }
  return path === undefined
    ? `the service stopped responding: ${failures} consecutive attempts within ` +
        `${Math.round(lastedMs / 1000)} s got no response from it (the last was ${request}: ${status})`
    : `${path} is no longer requested: ${failures} consecutive requests got no response within the ` +
        'time limit (PROBE_TIMEOUT_MS)'
}

const absences = {
  nothing: 'cannot be reached',
  certificate: 'cannot be reached',
  unreadable: 'returned a response that cannot be read',
  gateway: 'did not respond; a gateway did',
}

/** Returns what was found at a base URL instead of the service: `http://127.0.0.1:1 cannot be reached`. */
export const absenceText = ({ baseUrl, instead }: NoServiceReason) =>
  `${baseUrl} ${absences[instead]}`

function textWithoutControl(reason: Reason, named: ExchangeNames): string {
  const responseText = (id: string | undefined): string => {
    const { request, status } = named(id)
    return `${request} returned ${status}`
  }
  switch (reason.kind) {
    case 'needs':
      return needsText(reason.needs)
    case 'no control':
      return reason.text ?? `the control failed: ${responseText(reason.exchange)}`
    case 'response':
      return `${reason.text}: ${responseText(reason.exchange)}`
    case 'not observed': {
      const { text, status, exchanges = [] } = reason
      const others = exchanges
        .map(named)
        .map(({ request, requestWithPath = request, status }) => `${requestWithPath}: ${status}`)
      return text ?? `needs a response with ${status} (${others.join(', ')})`
    }
    case 'settings':
      return `${reason.text ?? responseText(reason.exchange)}: check ${joinNames(reason.variables)}`
    case 'gateway':
    case 'invalid status': {
      const problem =
        reason.kind === 'gateway' ? 'a gateway may have sent' : 'is not an HTTP status'
      const hint = [429, 503].includes(reason.status)
        ? '; if it limits requests, set PROBE_REQUESTS_PER_SECOND'
        : ''
      return `${named(reason.exchange).request} returned ${reason.status}, which ${problem}${hint}`
    }
    case 'transport':
    case 'unreadable':
      return `${named(reason.exchange).request}: ${reason.detail}`
    case 'stopped':
      return stoppedText(reason, named(reason.exchange))
    case 'no service': {
      const { variable, instead, because } = reason
      const hint = instead === 'certificate' ? '' : ` Is the server up, and is ${variable} right?`
      return `${absenceText(reason)}: ${reasonText(because, named)}.${hint}`
    }
    case 'untestable':
      return `cannot be tested: ${reason.why}`
    case 'not selected':
      return 'not selected'
    case 'interrupted':
      return interruptedText(reason)
    case 'internal error':
      return `internal error of Plumbline: ${reason.text}`
    default:
      return reason.text ?? ''
  }
}

/** Formats a reason without a full stop. */
export function reasonText(reason: Reason, named: ExchangeNames): string {
  const text = textWithoutControl(reason, named)
  return reason.control || reason.kind === 'no control' ? `no control: ${text}` : text
}

export function reasonSentence(reason: Reason, named: ExchangeNames): string {
  const text = reasonText(reason, named)
  // The text begins with an address and ends with a full stop or a question mark.
  if (reason.kind === 'no service') return text
  return `${capitalized(text)}.`
}

/** Returns `4 with one-time codes`, or `4` for other reasons than needs. */
function missingText({ cases, noVerdict }: MissingCases): string {
  const kinds = noVerdict.kind === 'needs' ? noVerdict.needs.map(({ cases }) => cases ?? []) : []
  const words = joinNames([...new Set(kinds.flat())])
  return `${cases.length}${words && ` ${words}`}`
}

/**
 * Returns `41 of 45 cases; not judged: 4 with one-time codes (TOKEN is not set)`; undefined if all cases were
 * judged.
 */
export function casesText(
  { conforming, deviating, missing }: JudgedCases,
  named: ExchangeNames,
): string | undefined {
  if (missing.length === 0) return undefined
  const judged = conforming.length + deviating.length
  const lost = missing.reduce((sum, { cases }) => sum + cases.length, 0)
  const same = groupBy(missing, ({ noVerdict }) => reasonText(noVerdict, named))
  const texts = [...same]
    .map(([text, group]) => {
      const cases = group.flatMap((one) => one.cases)
      return { count: cases.length, text: `${missingText({ ...group[0], cases })} (${text})` }
    })
    .sort((one, other) => other.count - one.count)
  const more = texts.length - MAX_REASONS
  const listed = texts.slice(0, MAX_REASONS).map(({ text }) => text)
  if (more > 0) listed.push(`others for ${counted(more, 'more reason')}`)
  return `${judged} of ${counted(judged + lost, 'case')}; not judged: ${listed.join(', ')}`
}

const MAX_REASONS = 4
const MAX_LISTED = 2
const MAX_LISTED_CHARS = 90

/** Returns the first texts of a list, truncated, and the number of the others. */
export function firstTexts(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED
  const first = texts.slice(0, MAX_LISTED).map((text) => truncate(text, MAX_LISTED_CHARS))
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

type Context = Pick<RunReport, 'exchanges'>

/** Formats the reason of a result; undefined for a pass of all cases. */
function resultText(result: RequirementResult, context: Context): string | undefined {
  const { verdict, noVerdict, cases, notes = [], expected, actual, exchanges } = result
  const named = exchangeNames(context.exchanges)
  if (noVerdict !== undefined) return reasonText(noVerdict, named)
  if (verdict === 'pass') {
    const lost = cases && casesText(cases, exchangeNames(context.exchanges, { isShared: true }))
    return [...(lost ? [`${lost}.`] : []), ...notes].join(' ') || undefined
  }
  const difference = `${named(exchanges[0]).request}: expected ${expected}, got ${actual}`
  return notes.length === 0 ? difference : [`${difference}.`, ...notes].join(' ')
}

export function withReasonText(result: RequirementResult, context: Context): RequirementResult {
  const named = exchangeNames(context.exchanges)
  const reason = resultText(result, context)
  const missing = result.cases?.missing.map((one) => {
    return { ...one, reason: reasonText(one.noVerdict, named) }
  })
  const cases = result.cases && missing && { ...result.cases, missing }
  return { ...result, ...(reason && { reason }), ...(cases && { cases }) }
}

export const withReasonTexts = (report: RunReport): RunReport => ({
  ...report,
  results: report.results.map((result) => withReasonText(result, report)),
})
