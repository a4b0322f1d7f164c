import type { ValidateFunction } from 'ajv'
import type { Exchange } from '../probe/exchange.ts'
import type { InspectedPart } from '../results/run-report.ts'
import { toPointer } from '../text/json.ts'
import {
  compare,
  displayBody,
  displayHeader,
  displayQuotedMessage,
  displayStatus,
  messageOf,
} from './deviations.ts'

export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300
}

/** Compares one header field, whose value is trimmed. */
function compareHeader(
  exchange: Exchange,
  name: string,
  expected: string,
  isExpected: (value: string | null) => boolean,
) {
  const value = exchange.headers.get(name)
  const actual = displayHeader(exchange, name)
  return compare(exchange, isExpected(value?.trim() ?? null), expected, actual, { header: name })
}

const MAX_SHOWN_ERRORS = 10

type SchemaErrors = NonNullable<ValidateFunction['errors']>

/** Returns the pointer of the first error, which may be a missing member. */
function firstErrorPointer([first]: SchemaErrors): InspectedPart | undefined {
  if (first === undefined) return undefined
  const { missingProperty } = first.params
  const name = missingProperty === undefined ? '' : toPointer([missingProperty])
  return { pointer: `${first.instancePath}${name}` }
}

function describeErrors(errors: SchemaErrors): string {
  const texts = errors
    .slice(0, MAX_SHOWN_ERRORS)
    .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
  const more = errors.length - texts.length
  return texts.concat(more > 0 ? `and ${more} more` : []).join('; ')
}

function distinctErrors(errors: SchemaErrors): string {
  const texts = errors.map(({ instancePath, message }) =>
    `${instancePath.replaceAll(/\/\d+/g, '/*')} ${message}`.trimStart(),
  )
  return [...new Set(texts)].join('; ')
}

const matchers = {
  /** Passes if `pass` is true; the texts complete "expected …, got …". */
  toShow: compare,

  toHaveStatus(exchange: Exchange, ...statuses: number[]) {
    const pass = statuses.includes(exchange.status)
    // Reads the body only for a failure.
    const actual = pass ? `status ${exchange.status}` : displayStatus(exchange)
    return compare(exchange, pass, `status ${statuses.join(' or ')}`, actual, { status: true })
  },

  toBeAccepted(exchange: Exchange) {
    const detail = exchange.text === '' ? '' : `, ${displayBody(exchange)}`
    const actual = `status ${exchange.status}${detail}`
    return compare(exchange, isSuccess(exchange), 'a 2xx status', actual, { status: true })
  },

  /** A body that shows something: not only white space, `null`, or an empty object, list or text. */
  toHaveBody(exchange: Exchange) {
    const isEmpty = ['', 'null', '{}', '[]', '""'].includes(exchange.text.replace(/\s/g, ''))
    const actual = displayBody(exchange)
    return compare(exchange, !isEmpty, 'a body with content', actual, { pointer: '' })
  },

  /** Any status except 2xx; `contrast` requires the control too. */
  toBeRejected(exchange: Exchange) {
    const actual = `status ${exchange.status}`
    return compare(exchange, !isSuccess(exchange), 'a rejection', actual, { status: true })
  },

  /** The field, with this value unless it is undefined; field lines are joined by commas. */
  toHaveHeader(exchange: Exchange, name: string, value?: string | number) {
    const expected = value === undefined ? `header ${name}` : `${name}: ${value}`
    const isExpected = (actual: string | null) =>
      value === undefined ? actual !== null : actual === String(value)
    return compareHeader(exchange, name, expected, isExpected)
  },

  toHaveNoHeader: (exchange: Exchange, name: string) =>
    compareHeader(exchange, name, `no header ${name}`, (actual) => actual === null),

  toHaveHeaderWherePresent: (exchange: Exchange, name: string, value: string | number) =>
    compareHeader(exchange, name, `${name}: ${value}`, (actual) =>
      [null, String(value)].includes(actual),
    ),

  toHaveHeaderLike: (exchange: Exchange, name: string, value: RegExp, description: string) =>
    compareHeader(exchange, name, `${name}: ${description}`, (actual) => value.test(actual ?? '')),

  /** A comma-separated field with this element, in any case. */
  toListInHeader: (exchange: Exchange, name: string, element: string) =>
    compareHeader(exchange, name, `${element} in ${name}`, (actual) => {
      const elements = (actual ?? '').toLowerCase().split(',')
      return elements.some((text) => text.trim() === element.toLowerCase())
    }),

  /** A body that is JSON in UTF-8 (RFC 8259, 8.1), with any media type. */
  toBeJson(exchange: Exchange) {
    const isJson = exchange.json !== undefined
    const encoding = exchange.isUtf8 ? 'JSON' : 'JSON that is not UTF-8'
    const actual = isJson ? encoding : displayBody(exchange)
    return compare(exchange, isJson && exchange.isUtf8, 'JSON', actual)
  },

  toHaveNoHeaderLike(exchange: Exchange, name: RegExp) {
    const [field, value] = [...exchange.headers].find(([field]) => name.test(field)) ?? []
    const actual = field === undefined ? 'none' : `${field}: ${value}`
    const reads = field === undefined ? undefined : { header: field }
    const expected = `no header whose name matches ${name.source}`
    // The value may be a count that differs in each response.
    return compare(exchange, field === undefined, expected, actual, reads, field)
  },

  /** Neither a body nor a header field that announces a body. */
  toHaveNoBody(exchange: Exchange) {
    // A client reads no body after 204; only its header fields show one.
    const announcing = exchange.status === 204 ? exchange.headers : new Headers()
    const length = announcing.get('content-length') ?? '0'
    const coding = announcing.get('transfer-encoding')
    const announced = coding === null ? `Content-Length: ${length}` : `Transfer-Encoding: ${coding}`
    const pass = exchange.text === '' && coding === null && length === '0'
    const actual = exchange.text === '' ? announced : displayBody(exchange)
    const header = coding === null ? 'Content-Length' : 'Transfer-Encoding'
    const reads = exchange.text === '' ? { header } : { pointer: '' }
    const problem = exchange.text === '' ? undefined : 'a body'
    return compare(exchange, pass, 'no body', actual, reads, problem)
  },

  /** An error body with exactly this `message`; if several are given, with any of them. */
  toHaveMessage(exchange: Exchange, ...messages: string[]) {
    const actual = displayQuotedMessage(exchange) ?? displayBody(exchange)
    const pass = messages.some((message) => message === messageOf(exchange))
    const expected = `message ${messages.map((message) => `"${message}"`).join(' or ')}`
    return compare(exchange, pass, expected, actual, { pointer: '/message' })
  },

  /** A JSON body that matches the schema; its `description` is the expected text. */
  toMatchSchema(exchange: Exchange, validate: ValidateFunction) {
    const { description } = validate.schema as { description: string }
    if (exchange.json === undefined) {
      const actual = `${displayBody(exchange)} (not JSON)`
      return compare(exchange, false, description, actual, undefined, 'not JSON')
    }
    const pass = validate(exchange.json)
    const errors = validate.errors ?? []
    // Reads the body only for a failure.
    const actual = pass ? description : `${displayBody(exchange)} (${describeErrors(errors)})`
    const reads = firstErrorPointer(errors)
    return compare(exchange, pass, description, actual, reads, distinctErrors(errors))
  },
}

type Matchers = Record<string, (exchange: Exchange, ...parameters: never[]) => void>

type Expect<Known> = (exchange: Exchange | undefined) => {
  [Name in keyof Known]: Known[Name] extends (
    exchange: Exchange,
    ...parameters: infer Parameters
  ) => unknown
    ? (...parameters: Parameters) => void
    : never
}

export function expectWith<Own extends Matchers>(own: Own): Expect<typeof matchers & Own> {
  const all = Object.entries<Matchers[string]>({ ...matchers, ...own }).map(([name, matcher]) => {
    function match(this: { exchange: Exchange }, ...parameters: never[]): void {
      matcher(this.exchange, ...parameters)
    }
    return [name, match]
  })
  const prototype = Object.fromEntries(all)
  return (exchange) => Object.assign(Object.create(prototype), { exchange })
}

export const expect = expectWith({})
