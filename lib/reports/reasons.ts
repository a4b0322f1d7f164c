/** Texts of the reasons of results, and results and cases grouped by the reason for a missing verdict. */
import type { ExchangeRecord } from '../probe/exchange.ts'
import type { NoServiceReason, Reason, ReasonOf, UnmetNeed } from '../results/reason.ts'
import type { JudgedCases, MissingCases, RequirementResult } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { joinNames } from '../text/names.ts'
import { capitalized } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'

export type ExchangeNames = ReturnType<typeof exchangeNames>

/** Names exchanges by method and URL. */
export function exchangeNames(exchanges: readonly ExchangeRecord[]) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return (id: string | undefined = '') => {
    const { request, response, error } = byId.get(id) ?? {}
    const status = String(response?.status ?? error ?? 'no status')
    return { request: request ? `${request.method} ${request.url}` : 'a request', status }
  }
}

/** Names requests in a text by their origin, so that several results share a reason. */
export const withoutPaths = (text: string) =>
  text.replace(/\b[A-Z]+ (https?:\/\/[^\s/]+)\S*?(?=:?(?:\s|$))/g, 'a request to $1')

/** Returns why needs are not met: their reasons, and the variables that are not set. */
export function needsText(needs: readonly Pick<UnmetNeed, 'variables' | 'reason'>[]): string {
  const reasons = new Set(needs.flatMap(({ reason }) => reason ?? []))
  const unset = [...new Set(needs.flatMap(({ reason, variables }) => (reason ? [] : variables)))]
  if (unset.length > 0)
    reasons.add(`${joinNames(unset)} ${unset.length === 1 ? 'is' : 'are'} not set`)
  return [...reasons].join('; ')
}

function interruptedText({ by, before }: ReasonOf<'interrupted'>): string {
  const ended = by === 'internal error' ? 'had an internal error (see standard error)' : 'ended'
  const event = by === 'operator' ? 'was interrupted' : ended
  return `the run ${event}${before ? ' before this was judged' : ''}`
}

function stoppedText(
  { failures, lastedMs = 0, path, pausesMs }: ReasonOf<'stopped'>,
  { request, status }: ReturnType<ExchangeNames>,
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

const absences: Partial<Record<NoServiceReason['instead'], string>> = {
  unreadable: 'returned a response that cannot be read',
  gateway: 'did not respond; a gateway did',
}

/** Returns what was found at a base URL instead of the service: `http://127.0.0.1:1 cannot be reached`. */
export const absenceText = ({ baseUrl, instead }: NoServiceReason) =>
  `${baseUrl} ${absences[instead] ?? 'cannot be reached'}`

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
      const others = exchanges.map(named).map((one) => `${one.request}: ${one.status}`)
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
  const text = capitalized(reasonText(reason, named))
  return /[.?]$/.test(text) ? text : `${text}.`
}

/** Returns `4 with one-time codes`, or `4` for other reasons than needs. */
function missingText({ cases, noVerdict }: MissingCases): string {
  const kinds = noVerdict.kind === 'needs' ? noVerdict.needs.map(({ cases }) => cases ?? []) : []
  const words = joinNames([...new Set(kinds.flat())])
  return `${cases.length}${words && ` ${words}`}`
}

/** Returns `41 of 45 cases; not judged: 4 with one-time codes (TOKEN is not set)`; undefined if all cases were judged. */
function casesText({ conforming, deviating, missing }: JudgedCases, named: ExchangeNames) {
  if (missing.length === 0) return undefined
  const judged = conforming.length + deviating.length
  const lost = missing.reduce((sum, { cases }) => sum + cases.length, 0)
  const same = groupBy(missing, ({ noVerdict }) => withoutPaths(reasonText(noVerdict, named)))
  const texts = [...same]
    .map(([text, group]) => {
      const cases = group.flatMap((one) => one.cases)
      return { count: cases.length, text: `${missingText({ ...group[0], cases })} (${text})` }
    })
    .sort((one, other) => other.count - one.count)
  const listed = texts.map(({ text }) => text).join(', ')
  return `${judged} of ${counted(judged + lost, 'case')}; not judged: ${listed}`
}

/** Formats the reason of a result; empty for a pass of all cases. */
function resultText(result: RequirementResult, named: ExchangeNames) {
  const { verdict, noVerdict, cases, notes = [], expected, actual } = result
  if (noVerdict !== undefined) return reasonText(noVerdict, named)
  if (verdict === 'pass') {
    const lost = cases && casesText(cases, named)
    return [lost === undefined ? [] : `${lost}.`, notes].flat().join(' ')
  }
  const difference = `${named(result.exchanges[0]).request}: expected ${expected}, got ${actual}`
  return notes.length === 0 ? difference : [`${difference}.`, ...notes].join(' ')
}

/** Returns a result with the texts of its reason and of the reasons of its missing cases. */
export function withReasonText(result: RequirementResult, named: ExchangeNames): RequirementResult {
  const reason = resultText(result, named)
  const missing = result.cases?.missing.map((one) => {
    return { ...one, reason: reasonText(one.noVerdict, named) }
  })
  return {
    ...result,
    ...(reason && { reason }),
    ...(result.cases && missing && { cases: { ...result.cases, missing } }),
  }
}

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'noVerdict'>

/** Cases of a judged requirement that could not be judged. */
interface LostCases extends MissingCases {
  requirement: string
}

/** Results without a verdict, and the cases of other results, for the same reason. */
export interface ReasonGroup<Result extends Reasoned = RequirementResult> {
  reason: string
  results: Result[]
  lost: LostCases[]
}

/** Returns the reason of a result; one text for all untestable requirements. */
const ownText = ({ reason, noVerdict }: Reasoned): string =>
  noVerdict?.kind === 'untestable'
    ? 'cannot be tested (see "plumbline requirements")'
    : (reason ?? 'no reason was recorded')

/** Returns the missing cases of judged results, except those that another requirement explains. */
export const lostCases = (results: readonly RequirementResult[]): LostCases[] =>
  results.flatMap(({ requirement, noVerdict, cases }) => {
    const missing = noVerdict === undefined ? (cases?.missing ?? []) : []
    const addable = missing.filter((one) => one.noVerdict.kind !== 'explained')
    return addable.map((one) => ({ requirement, ...one }))
  })

/** Groups results, and cases of other results (`lost`), by reason, the largest group first. An unreachable server is one reason. */
export function groupByReason<Result extends Reasoned>(
  results: readonly Result[],
  lost: readonly LostCases[] = [],
): ReasonGroup<Result>[] {
  // The same variable adds a case and its control.
  const sharedText = (one: Reasoned): string =>
    one.noVerdict?.kind === 'needs' ? needsText(one.noVerdict.needs) : withoutPaths(ownText(one))
  const groups = groupBy(results, sharedText)
  const lostGroups = groupBy(lost, sharedText)
  return [...new Set([...groups.keys(), ...lostGroups.keys()])]
    .map((text) => {
      const members = groups.get(text) ?? []
      const [first = text, ...others] = new Set(members.map(ownText))
      const reason = others.length === 0 ? first : text
      return { reason, results: members, lost: lostGroups.get(text) ?? [] }
    })
    .sort((one, other) => {
      return other.results.length - one.results.length || other.lost.length - one.lost.length
    })
}
