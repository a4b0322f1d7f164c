import { isSuccess } from '../../lib/conformance/contrast.ts'
import {
  displayHeader,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayText,
  displayValue,
} from '../../lib/conformance/describe-exchange.ts'
import { compare, expectWith, messageOf } from '../../lib/conformance/matchers.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { parseWarning } from '../../lib/probe/header-fields.ts'
import type { InspectedPart } from '../../lib/results/run-report.ts'
import { toPointer } from '../../lib/text/json-pointer.ts'
import { leadsToDocumentation } from './responses.ts'

function field(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null
    ? (json as Record<string, unknown>)[name]
    : undefined
}

function sameName(actual: unknown, expected: string): boolean {
  return typeof actual === 'string' && actual.toLowerCase() === expected.toLowerCase()
}

function displayField(exchange: Exchange, name: string, value: unknown): string {
  return value === undefined ? `no ${name}` : `${name} ${displayValue(exchange, value)}`
}

function namesIn(json: unknown): string[] {
  return Array.isArray(json) ? json.map((record) => String(field(record, 'full_name'))) : []
}

/** Returns true for a Warning with code 299 whose text contains "deprecated" and "Bearer". */
function warnsOfScheme({ headers }: Exchange): boolean {
  return parseWarning(headers.get('warning') ?? '').some(
    ({ code, text }) => code === 299 && /deprecated/i.test(text) && /bearer/i.test(text),
  )
}

function displayItems(exchange: Exchange, names: readonly string[]): string {
  return Array.isArray(exchange.json)
    ? displayNames(exchange, names)
    : `no list, with ${displayStatus(exchange)}`
}

const isTooMany = ({ minLength = 0 }: Exchange, count: number) => minLength > count

const compareTooMany = (exchange: Exchange, expected: string) =>
  compare(exchange, false, expected, `${exchange.minLength} items or more`)

function compareField(exchange: Exchange, name: string, pass: boolean, expected: string) {
  const actual = displayField(exchange, name, field(exchange.json, name))
  return compare(exchange, pass, expected, actual, { pointer: toPointer([name]) })
}

/** Returns the name of a repository in a list; undefined for a negative index. */
function itemAt(index: number): InspectedPart | undefined {
  return index < 0 ? undefined : { pointer: toPointer([index, 'full_name']) }
}

/** Returns the first item that a list of this length does not have. */
const excessAfter = (count: number) => ({ pointer: toPointer([count]) })

function compareCount(
  exchange: Exchange,
  count: number,
  expected: string,
  isExpected: (items: number | undefined) => boolean,
) {
  if (isTooMany(exchange, count)) return compareTooMany(exchange, expected)
  const items = Array.isArray(exchange.json) ? exchange.json.length : undefined
  const actual = items === undefined ? displayItems(exchange, []) : `${items} items`
  const isMore = (items ?? 0) > count
  return compare(
    exchange,
    isExpected(items),
    expected,
    actual,
    isMore ? excessAfter(count) : undefined,
  )
}

/** @param problem `actual` without the values of this exchange */
function compareHeader(
  exchange: Exchange,
  name: string,
  pass: boolean,
  expected: string,
  problem?: string,
) {
  const actual = displayHeader(exchange, name)
  return compare(exchange, pass, expected, actual, { header: name }, problem)
}

export const expect = expectWith({
  toShowUser(exchange: Exchange, login: string) {
    const expected = `login "${login}"`
    return isSuccess(exchange)
      ? compareField(exchange, 'login', sameName(field(exchange.json, 'login'), login), expected)
      : compare(exchange, false, expected, `status ${exchange.status}`, { status: true })
  },

  toShowRepository(exchange: Exchange, fullName: string) {
    const pass = sameName(field(exchange.json, 'full_name'), fullName)
    return compareField(exchange, 'full_name', pass, `full_name "${fullName}"`)
  },

  /** A record with exactly this value in a field. */
  toHaveField(exchange: Exchange, name: string, value: string | number) {
    // The expected value may come from the record, so it is displayed like one.
    const expected = displayField(exchange, name, value)
    return compareField(exchange, name, field(exchange.json, name) === value, expected)
  },

  toHaveItems: (exchange: Exchange, count: number) =>
    compareCount(exchange, count, `${count} items`, (items) => items === count),

  toHaveItemsUpTo: (exchange: Exchange, count: number) =>
    compareCount(exchange, count, `${count} items at most`, (items = 0) => items <= count),

  /** A list of repositories with these full names only; empty only if there are no names. */
  toHoldItemsOf(exchange: Exchange, names: readonly string[]) {
    const items = namesIn(exchange.json)
    const expectedNames = new Set(names)
    const isSome = items.length > 0 || names.length === 0
    const unknown = items.findIndex((item) => !expectedNames.has(item))
    const holds = Array.isArray(exchange.json) && isSome && unknown < 0
    const expected = `some of ${displayNames(exchange, names)}`
    return compare(exchange, holds, expected, displayItems(exchange, items), itemAt(unknown))
  },

  /**
   * A page with these repositories, which starts at this offset of the list.
   *
   * @param holds true if the response has them, in their order if the list has one
   */
  toHoldPage(exchange: Exchange, names: readonly string[], offset: number, holds: boolean) {
    if (isTooMany(exchange, names.length)) return compareTooMany(exchange, `${names.length} items`)
    const items = namesIn(exchange.json)
    const other = items.findIndex((item, index) => item !== names[index])
    const place = other < 0 ? items.length : other
    const item = items[place] === undefined ? 'none' : displayText(exchange, items[place])
    const expected = `${displayNames(exchange, names)} starting at item ${offset + 1} of the list`
    const actual = `${displayItems(exchange, items)}, and item ${offset + place + 1} is ${item}`
    // Names depend on the data.
    const isMore = items.length > names.length
    const problem =
      items.length === names.length ? 'other items' : isMore ? 'more items' : 'fewer items'
    const reads = isMore ? excessAfter(names.length) : undefined
    return compare(exchange, holds, expected, actual, reads, problem)
  },

  toLackItem(exchange: Exchange, name: string) {
    const index = namesIn(exchange.json).findIndex((item) => sameName(item, name))
    const actual = index < 0 ? 'none' : `${name} in it`
    return compare(exchange, index < 0, `a list without ${name}`, actual, itemAt(index))
  },

  /** A list of the same repositories as another response, in any order. */
  toHoldTheSameAs(exchange: Exchange, other: Exchange) {
    const [names, others] = [namesIn(exchange.json), namesIn(other.json)]
    const [known, knownOthers] = [new Set(names), new Set(others)]
    const isSame = known.size === knownOthers.size && others.every((name) => known.has(name))
    const pass = Array.isArray(exchange.json) && isSame
    const expected = `the items of ${other.record.request.url}: ${displayNames(other, others)}`
    const additional = itemAt(names.findIndex((name) => !knownOthers.has(name)))
    const actual = displayItems(exchange, names)
    return compare(exchange, pass, expected, actual, additional, 'other items')
  },

  /** The `X-Page` of another response, if both have the field. */
  toReportTheSamePageAs(exchange: Exchange, other: Exchange) {
    const [page, others] = [exchange, other].map(({ headers }) => headers.get('x-page'))
    const pass = page === null || others === null || page === others
    const expected = `the X-Page of ${other.record.request.url}: ${others}`
    const actual = displayHeader(exchange, 'X-Page')
    return compare(exchange, pass, expected, actual, { header: 'X-Page' })
  },

  toLackHeaderValue(exchange: Exchange, name: string, value: string) {
    const pass = exchange.headers.get(name)?.trim() !== value
    return compareHeader(exchange, name, pass, `no ${name}: ${value}`)
  },

  toLinkTo(exchange: Exchange, relation: string) {
    const pass = exchange.links.targets.has(relation)
    return compareHeader(
      exchange,
      'Link',
      pass,
      `a Link with relation ${relation}`,
      `no ${relation}`,
    )
  },

  toLackLinkTo(exchange: Exchange, relation: string) {
    const pass = !exchange.links.targets.has(relation)
    return compareHeader(exchange, 'Link', pass, `no Link with relation ${relation}`, relation)
  },

  toHaveLinkOfRelations(exchange: Exchange, ...relations: string[]) {
    const expected = `Link of <target>; rel=… with relations ${relations.join(', ')}`
    const { values, malformed } = exchange.links
    const holds =
      values.length > 0 && values.every(({ relation = '' }) => relations.includes(relation))
    const field = displayHeader(exchange, 'Link')
    const actual = malformed === undefined ? field : `${field} (${malformed})`
    return compare(exchange, holds, expected, actual, { header: 'Link' })
  },

  toWarnOfTheScheme(exchange: Exchange) {
    const expected = 'Warning: 299 with a text that contains "deprecated" and "Bearer"'
    return compareHeader(exchange, 'Warning', warnsOfScheme(exchange), expected)
  },

  /** No `Warning` about a deprecated scheme; other warnings are allowed. */
  toWarnOfNoScheme(exchange: Exchange) {
    const expected = 'no Warning of a deprecated scheme'
    return compareHeader(exchange, 'Warning', !warnsOfScheme(exchange), expected)
  },

  /** Any status but 401 and 403. */
  toBeAllowed(exchange: Exchange) {
    const allowed = exchange.status !== 401 && exchange.status !== 403
    const actual = allowed ? `status ${exchange.status}` : displayStatus(exchange)
    return compare(exchange, allowed, 'access', actual, { status: true })
  },

  toLinkToDocumentation(exchange: Exchange) {
    const url = field(exchange.json, 'url')
    // The origin, prefix, query and fragment do not matter.
    const base = 'http://relative.invalid'
    const link = typeof url === 'string' && URL.canParse(url, base) && new URL(url, base)
    const pass = link && leadsToDocumentation(link)
    return compareField(exchange, 'url', pass, 'a url that leads to /api/swagger')
  },

  /** An error body whose message contains any of these words, in any letter case. */
  toNameInMessage(exchange: Exchange, ...names: string[]) {
    const word = new RegExp(`(?<![a-z])(?:${names.join('|')})(?![a-z])`, 'i')
    const holds = word.test(messageOf(exchange) ?? '')
    const actual = displayQuotedMessage(exchange) ?? 'no message'
    return compare(exchange, holds, `a message that names ${names.join(' or ')}`, actual, {
      pointer: '/message',
    })
  },
})
