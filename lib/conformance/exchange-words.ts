import type { Exchange } from '../probe/exchange.ts'

/** The `message` of an error body; `undefined` when there is none. */
export function messageOf(exchange: Exchange): string | undefined {
  const message = (exchange.json as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

/** One line of a text, cut where it is long. Secrets have to be taken out before. */
export function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

/**
 * The body as reports may show it: a secret that an excerpt cuts in two would no longer be
 * recognised, so that it has to be taken out before.
 */
function redactedBody({ record }: Exchange): string {
  return record.response?.body ?? ''
}

/** The body in words, for `actual`. */
export function displayBody(exchange: Exchange): string {
  return exchange.text === '' ? 'no body' : `the body ${excerpt(redactedBody(exchange))}`
}

/** The `message` of an error body without secrets. */
export function displayMessage(exchange: Exchange): string | undefined {
  try {
    return messageOf({ ...exchange, json: JSON.parse(redactedBody(exchange)) })
  } catch {
    // What is kept of a very large body is no JSON.
    return undefined
  }
}

/** A header field in words. */
export function displayHeader(name: string, value: string | null): string {
  return value === null ? `no ${name}` : `${name}: ${value}`
}
