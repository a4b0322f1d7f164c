import type { ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import {
  displayBody,
  displayHeader,
  displayQuotedMessage,
  displayStatus,
  displayValue,
  messageOf,
} from './exchange-words.ts'
import { currentScope, type Reads } from './scope.ts'

export { messageOf }

interface MatcherResult {
  pass: boolean
  message: () => string
  expected: unknown
  actual: unknown
}

function endpointOf(exchange: Exchange): string {
  const { method, url } = exchange.record.request
  return `${method} ${url}`
}

/**
 * The result of a matcher on an exchange: what was expected and what came, both in words. The
 * message names the request, so that it can be read alone.
 *
 * @param reads what was looked at, where it is not the body
 */
export function compare(
  exchange: Exchange,
  pass: boolean,
  expected: string,
  actual: string,
  reads?: Reads,
): MatcherResult {
  const message = `${endpointOf(exchange)}: expected ${expected}, got ${actual}`
  const scope = currentScope()
  scope?.exchanges.add(exchange.id)
  if (!pass) scope?.failures.set(message, { exchange: exchange.id, reads })
  return { pass, message: () => message, expected, actual }
}

/** A page of records without a field has an error for each of them. */
const SHOWN_ERRORS = 10

function describeErrors(validate: ValidateFunction): string {
  const errors = validate.errors ?? []
  const shown = errors
    .slice(0, SHOWN_ERRORS)
    .map(
      ({ instancePath, message }) =>
        `${instancePath === '' ? 'the body' : instancePath} ${message}`,
    )
  const more = errors.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function schemaDescription({ schema }: ValidateFunction): string {
  // Every schema says what it describes.
  return (schema as { description: string }).description
}

/** `application/json`, `text/json` and every `+json` type (WHATWG MIME Sniffing, 4.6). */
const JSON_MEDIA_TYPE = /^\s*(?:(?:application|text)\/json|[^;,/\s]+\/[^;,/\s]+\+json)\s*(?:;|$)/i

const matchers = {
  /** One of these statuses. */
  toHaveStatus(exchange: Exchange, ...statuses: number[]) {
    const pass = statuses.includes(exchange.status)
    return compare(
      exchange,
      pass,
      `status ${statuses.join(' or ')}`,
      // Nobody reads the body of what is as it should be.
      pass ? `status ${exchange.status}` : displayStatus(exchange),
      { status: true },
    )
  },

  /** Any status of success. */
  toBeAccepted(exchange: Exchange) {
    const { status } = exchange
    const detail = exchange.text === '' ? '' : `, ${displayBody(exchange)}`
    return compare(
      exchange,
      status >= 200 && status < 300,
      'a status of success (2xx)',
      `status ${status}${detail}`,
      { status: true },
    )
  },

  /** A body of one byte or more. */
  toHaveBody(exchange: Exchange) {
    return compare(exchange, exchange.text !== '', 'a body', displayBody(exchange))
  },

  /** Any status but 2xx. */
  toBeRefused(exchange: Exchange) {
    const accepted = exchange.status >= 200 && exchange.status < 300
    return compare(exchange, !accepted, 'a refusal', `status ${exchange.status}`, { status: true })
  },

  /** The field, with this value when one is given; several field lines are joined by commas. */
  toHaveHeader(exchange: Exchange, name: string, value?: string | number) {
    const actual = exchange.headers.get(name)
    const pass = value === undefined ? actual !== null : actual?.trim() === String(value)
    const expected = value === undefined ? `header ${name}` : `${name}: ${value}`
    const shown = displayHeader(exchange, name, actual)
    return compare(exchange, pass, expected, shown, { header: name })
  },

  toHaveNoHeader(exchange: Exchange, name: string) {
    const actual = exchange.headers.get(name)
    return compare(
      exchange,
      actual === null,
      `no header ${name}`,
      displayHeader(exchange, name, actual),
      { header: name },
    )
  },

  /** The field, with a value that `description` describes. */
  toHaveHeaderLike(exchange: Exchange, name: string, value: RegExp, description: string) {
    const actual = exchange.headers.get(name)
    const pass = actual !== null && value.test(actual.trim())
    const shown = displayHeader(exchange, name, actual)
    return compare(exchange, pass, `${name}: ${description}`, shown, { header: name })
  },

  /** A comma-separated field with this element, in any case. */
  toListInHeader(exchange: Exchange, name: string, element: string) {
    const actual = exchange.headers.get(name)
    const elements = (actual ?? '').split(',').map((text) => text.trim().toLowerCase())
    return compare(
      exchange,
      elements.includes(element.toLowerCase()),
      `${element} in ${name}`,
      displayHeader(exchange, name, actual),
      { header: name },
    )
  },

  /** A body that parses and is UTF-8 (RFC 8259, 8.1), with a JSON media type, parameters or none. */
  toBeJson(exchange: Exchange) {
    const type = exchange.headers.get('content-type')
    const isJson = JSON_MEDIA_TYPE.test(type ?? '')
    const parses = exchange.json !== undefined
    const problem = parses
      ? exchange.isUtf8
        ? ''
        : ', and it is not UTF-8'
      : ', and it does not parse'
    return compare(
      exchange,
      isJson && parses && exchange.isUtf8,
      'JSON, with a JSON media type',
      `${displayHeader(exchange, 'Content-Type', type)}${problem}`,
      { header: 'Content-Type' },
    )
  },

  /** A record in which each of these fields has exactly its value. */
  toHaveFields(exchange: Exchange, fields: Record<string, string | number>) {
    const record = exchange.json as Record<string, unknown> | null | undefined
    const names = Object.keys(fields)
    const differing = names.filter((name) => record?.[name] !== fields[name])
    const shown = (display: (name: string) => string) =>
      (differing.length === 0 ? names : differing)
        .map((name) => `${name} ${display(name)}`)
        .join(', ')
    return compare(
      exchange,
      differing.length === 0,
      shown((name) => JSON.stringify(fields[name])),
      shown((name) => displayValue(exchange, record?.[name])),
    )
  },

  /** No field whose name, in lower case, matches. */
  toHaveNoHeaderLike(exchange: Exchange, name: RegExp) {
    const present = [...exchange.headers].find(([field]) => name.test(field))
    return compare(
      exchange,
      present === undefined,
      `no header whose name matches ${name.source}`,
      present === undefined ? 'none' : `${present[0]}: ${present[1]}`,
      present === undefined ? undefined : { header: present[0] },
    )
  },

  /** Neither a body nor an announcement of one. */
  toHaveNoBody(exchange: Exchange) {
    // A client reads no body behind 204, so that a body shows in what announces it.
    const unread = exchange.status === 204
    const length = (unread ? exchange.headers.get('content-length') : null) ?? '0'
    const coding = unread ? exchange.headers.get('transfer-encoding') : null
    const announced = coding === null ? length !== '0' : true
    const announcement =
      coding === null ? `Content-Length: ${length}` : `Transfer-Encoding: ${coding}`
    const actual = exchange.text === '' ? announcement : displayBody(exchange)
    return compare(exchange, exchange.text === '' && !announced, 'no body', actual)
  },

  /** The field has this value or is not there at all. */
  toHaveHeaderWherePresent(exchange: Exchange, name: string, value: string | number) {
    const actual = exchange.headers.get(name)
    const pass = actual === null || actual.trim() === String(value)
    const expected = `${name}: ${value}`
    const shown = displayHeader(exchange, name, actual)
    return compare(exchange, pass, expected, shown, { header: name })
  },

  /** An error body with exactly this message. */
  toHaveMessage(exchange: Exchange, message: string) {
    const actual = messageOf(exchange)
    return compare(
      exchange,
      actual === message,
      `message "${message}"`,
      displayQuotedMessage(exchange) ?? displayBody(exchange),
    )
  },

  /** A JSON body that fits the schema, whose `description` says what it asks for. */
  toMatchSchema(exchange: Exchange, validate: ValidateFunction) {
    const pass = exchange.json !== undefined && validate(exchange.json)
    const problem = exchange.json === undefined ? 'not JSON' : describeErrors(validate)
    return compare(
      exchange,
      pass,
      schemaDescription(validate),
      `${displayBody(exchange)}${pass ? '' : ` (${problem})`}`,
    )
  },
}

expect.extend(matchers)

/** What the matchers are called with behind `expect(exchange)`. */
export type Expectations<Matchers, Result> = {
  [Name in keyof Matchers]: Matchers[Name] extends (
    exchange: Exchange,
    ...expected: infer Expected
  ) => unknown
    ? (...expected: Expected) => Result
    : never
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the merged declaration must repeat the parameters of Vitest's own
  interface Matchers<T = any> extends Expectations<typeof matchers, T> {}
}

export { expect }
