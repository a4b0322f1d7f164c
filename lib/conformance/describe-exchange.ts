import type { Exchange } from '../probe/exchange.ts'
import type { HeaderField } from '../probe/exchange-record.ts'

/** The `message` of an error body; `undefined` when there is none. */
export function messageOf(exchange: Exchange): string | undefined {
  // A list, of which more is not read.
  if (exchange.leastElements !== undefined) return undefined
  const message = (exchange.json as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

/** Longer values are not quoted. In UTF-16 code units; reports shorten them further. */
const LONGEST_TOLD = 16 * 1024

/** Reports keep no body (PROBE_EVIDENCE=headers). */
const isBodyLeftOut = ({ text, record }: Exchange) => text !== '' && record.response?.body === null

const isReported = (exchange: Exchange, text: string) =>
  !isBodyLeftOut(exchange) && text.length <= LONGEST_TOLD

/** One line of a text, cut where it is long. Secrets have to be taken out before. */
function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** What a JSON value is, without the value. */
function described(value: unknown): string {
  if (typeof value === 'string') return `a string of ${count(value.length, 'character')}`
  if (Array.isArray(value)) return `a list of ${count(value.length, 'item')}`
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  return value === null ? 'null' : `an object of ${count(Object.keys(value).length, 'field')}`
}

/**
 * A value from the body as JSON; its type and length where reports keep no body, and where it is long:
 * it cannot be cut, as its secrets are taken out later.
 */
export function displayValue(exchange: Exchange, value: unknown): string {
  return displayText(exchange, JSON.stringify(value) ?? String(value), described(value))
}

export function displayText(exchange: Exchange, text: string, otherwise = described(text)): string {
  return isReported(exchange, text) ? exchange.redact(text) : otherwise
}

/** Names from the body: how many, and the first few of them. */
export function displayNames(exchange: Exchange, names: readonly string[]): string {
  const items = `${names.length} items`
  if (names.length === 0 || isBodyLeftOut(exchange)) return items
  const first = names.slice(0, 3).map((name) => displayText(exchange, name))
  return `${items} (${first.join(', ')}${names.length > 3 ? ', …' : ''})`
}

/** The body in words, for `actual`. An excerpt is made of what is redacted: it could cut a secret. */
export function displayBody(exchange: Exchange): string {
  const { body = null, bodyBytes = 0 } = exchange.record.response ?? {}
  if (exchange.text === '') return 'no body'
  return body === null ? `a body of ${count(bodyBytes, 'byte')}` : `the body ${excerpt(body)}`
}

/** The `message` of an error body without secrets; `undefined` when there is none. */
export function displayMessage(exchange: Exchange): string | undefined {
  const message = messageOf(exchange)
  return message === undefined ? undefined : excerpt(displayText(exchange, message))
}

/** The status, with the `code` and the `message` of an error body. */
export function displayStatus(exchange: Exchange): string {
  const code = exchange.leastElements === undefined && Object(exchange.json).code
  const shownCode = typeof code === 'string' ? excerpt(displayText(exchange, code)) : undefined
  const shown = [shownCode, displayMessage(exchange)].filter((text) => text !== undefined)
  return `status ${exchange.status}${shown.length === 0 ? '' : ` (${shown.join(': ')})`}`
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
