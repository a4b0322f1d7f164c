/** Deviations of a check, and their texts: made once, by the expectation that fails, and gathered by what judges several cases. */
import type { Exchange, HeaderField } from '../probe/exchange.ts'
import type { Deviation, InspectedPart } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { truncate } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { currentScope } from './check-scope.ts'

/** Thrown for a failed expectation, and for all deviations of a check. */
export class FailedExpectation extends Error {
  readonly deviations: readonly Deviation<string>[]
  /** Response that a single expectation is about, and the part of it that contradicts the expectation. */
  readonly exchange: Exchange | undefined
  readonly reads: InspectedPart | undefined

  constructor(deviations: readonly Deviation<string>[], exchange?: Exchange) {
    const [first] = deviations
    super(`expected ${first?.expected}, got ${first?.actual}`)
    this.deviations = deviations
    this.exchange = exchange
    this.reads = exchange && first?.reads
  }
}

/** Returns true for an error of one or several expectations. */
export const isFailedExpectation = (error: unknown): error is FailedExpectation =>
  error instanceof FailedExpectation

/** Returns `GET /user`; a request without a documented endpoint is named by its path. */
function endpointOf({ request, record: { request: sent } }: Exchange): string {
  return request.endpoint ?? `${sent.method} ${new URL(sent.url).pathname}`
}

/**
 * Fails unless an expectation holds, and adds its exchange to the evidence.
 *
 * @param reads undefined for the whole body
 * @param problem `actual` without the values of this exchange
 */
export function compare(
  exchange: Exchange,
  holds: boolean,
  expected: string,
  actual: string,
  reads?: InspectedPart,
  problem?: string,
): void {
  currentScope()?.exchanges.add(exchange.id)
  if (holds) return
  const deviation: Deviation<string> = {
    subject: `${endpointOf(exchange)} ${exchange.status}`,
    expected,
    actual,
    ...(problem !== undefined && problem !== actual && { problem }),
    exchange: exchange.id,
    ...(reads && { reads }),
  }
  throw new FailedExpectation([deviation], exchange)
}

/** Returns the deviations of an error, with further cases. */
export function deviationsIn(error: unknown, cases: readonly string[] = []) {
  if (!isFailedExpectation(error)) return []
  return error.deviations.map((one) => ({ ...one, cases: [...(one.cases ?? []), ...cases] }))
}

/** Returns the first deviation for each endpoint, status and problem, with the cases of all. */
export function distinctDeviations(
  deviations: readonly Deviation<string>[],
  normalize = (text: string) => text,
): Deviation<string>[] {
  const same = groupBy(deviations, ({ subject, actual, problem = actual }) =>
    normalize(`${subject}\n${problem}`),
  )
  return Array.from(same.values(), (group) => {
    return { ...group[0], cases: [...new Set(group.flatMap(({ cases = [] }) => cases))] }
  })
}

export function messageOf(exchange: Exchange): string | undefined {
  // The body is a list that is too large to read.
  if (exchange.minLength !== undefined) return undefined
  const message = (exchange.json as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

/** Maximum length of a quoted value, in UTF-16 code units; reports truncate it further. */
const MAX_QUOTED_CHARS = 16 * 1024

/** Returns true if reports keep no body (PROBE_EVIDENCE=headers). */
const isBodyLeftOut = ({ text, record }: Exchange) => text !== '' && record.response?.body === null

const isReported = (exchange: Exchange, text: string) =>
  !isBodyLeftOut(exchange) && text.length <= MAX_QUOTED_CHARS

const excerpt = (text: string) => truncate(text.trim().replace(/\s+/g, ' '), 201)

function describeType(value: unknown): string {
  if (typeof value === 'string') return `a string of ${counted(value.length, 'character')}`
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'item')}`
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  return value === null ? 'null' : `an object of ${counted(Object.keys(value).length, 'field')}`
}

/** Returns JSON, or the type and size if reports keep no body or if it is too long to be redacted and truncated. */
export function displayValue(exchange: Exchange, value: unknown): string {
  return displayText(exchange, JSON.stringify(value) ?? String(value), describeType(value))
}

export function displayText(exchange: Exchange, text: string, description = describeType(text)) {
  return isReported(exchange, text) ? exchange.redact(text) : description
}

export function displayNames(exchange: Exchange, names: readonly string[]): string {
  const items = `${names.length} items`
  if (names.length === 0 || isBodyLeftOut(exchange)) return items
  const first = names.slice(0, 3).map((name) => displayText(exchange, name))
  return `${items} (${first.join(', ')}${names.length > 3 ? ', …' : ''})`
}

/** Describes the body, for `actual`. The excerpt is made from the redacted body. */
export function displayBody(exchange: Exchange): string {
  const { body = null, bodyBytes = 0 } = exchange.record.response ?? {}
  if (exchange.text === '') return 'no body'
  return body ? `the body ${excerpt(body)}` : `a body of ${counted(bodyBytes, 'byte')}`
}

export function displayMessage(exchange: Exchange): string | undefined {
  const message = messageOf(exchange)
  return message === undefined ? undefined : excerpt(displayText(exchange, message))
}

export function displayStatus(exchange: Exchange): string {
  const code = exchange.minLength === undefined && Object(exchange.json).code
  const shownCode = typeof code === 'string' ? excerpt(displayText(exchange, code)) : undefined
  const texts = [shownCode, displayMessage(exchange)].filter((text) => text !== undefined)
  return `status ${exchange.status}${texts.length === 0 ? '' : ` (${texts.join(': ')})`}`
}

export function displayQuotedMessage(exchange: Exchange): string | undefined {
  const [message, shown] = [messageOf(exchange), displayMessage(exchange)]
  if (message === undefined) return undefined
  return isReported(exchange, message) ? `message "${shown}"` : `a message, ${shown}`
}

export function displayHeader({ record }: Exchange, name: string): string {
  const isNamed = (field: HeaderField) => field.name.toLowerCase() === name.toLowerCase()
  const values = record.response?.headers.filter(isNamed).map(({ value }) => value) ?? []
  return values.length === 0 ? `no ${name}` : `${name}: ${values.join(', ')}`
}
