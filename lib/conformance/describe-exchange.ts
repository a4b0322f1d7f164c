import type { Exchange, HeaderField } from '../probe/exchange.ts'
import { truncate } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'

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
