import { isSuccess } from '../../../lib/conformance/contrast.ts'
import {
  displayHeader,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayValue,
} from '../../../lib/conformance/exchange-words.ts'
import { compare, expectWith, messageOf } from '../../../lib/conformance/matchers.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { linkTargets, parseLink, parseWarning } from '../../../lib/probe/header-fields.ts'

function field(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null
    ? (json as Record<string, unknown>)[name]
    : undefined
}

function sameName(actual: unknown, expected: string): boolean {
  return typeof actual === 'string' && actual.toLowerCase() === expected.toLowerCase()
}

function shown(exchange: Exchange, name: string, value: unknown): string {
  return value === undefined ? `no ${name}` : `${name} ${displayValue(exchange, value)}`
}

function namesIn(json: unknown): string[] {
  return Array.isArray(json) ? json.map((record) => String(field(record, 'full_name'))) : []
}

/** A value with warn-code 299 that speaks of a deprecated scheme and names Bearer. */
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

/** Whether a list has more items than that, although it is too large to be read. */
const isTooMany = ({ leastElements = 0 }: Exchange, count: number) => leastElements > count

const compareTooMany = (exchange: Exchange, expected: string) =>
  compare(exchange, false, expected, `${exchange.leastElements} items or more`)

function compareField(exchange: Exchange, name: string, pass: boolean, expected: string) {
  return compare(exchange, pass, expected, shown(exchange, name, field(exchange.json, name)))
}

function compareHeader(exchange: Exchange, name: string, pass: boolean, expected: string) {
  const actual = displayHeader(exchange, name, exchange.headers.get(name))
  return compare(exchange, pass, expected, actual, { header: name })
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

  /** A record in which this field has exactly this value. */
  toHaveField(exchange: Exchange, name: string, value: string | number) {
    // What is expected of a record may come from the record.
    const expected = shown(exchange, name, value)
    return compareField(exchange, name, field(exchange.json, name) === value, expected)
  },

  toHaveItems(exchange: Exchange, count: number) {
    if (isTooMany(exchange, count)) return compareTooMany(exchange, `${count} items`)
    const { json } = exchange
    const items = Array.isArray(json) ? json.length : undefined
    const actual = items === undefined ? displayItems(exchange, []) : `${items} items`
    return compare(exchange, items === count, `${count} items`, actual)
  },

  toHaveItemsUpTo(exchange: Exchange, count: number) {
    if (isTooMany(exchange, count)) return compareTooMany(exchange, `${count} items at most`)
    const { json } = exchange
    const items = Array.isArray(json) ? json.length : 0
    return compare(exchange, items <= count, `${count} items at most`, `${items} items`)
  },

  /** A list of repositories that all have one of these full names; empty only where there are none. */
  toHoldItemsOf(exchange: Exchange, names: readonly string[]) {
    const items = namesIn(exchange.json)
    const known = new Set(names)
    const isSome = items.length > 0 || names.length === 0
    const holds = Array.isArray(exchange.json) && isSome && items.every((item) => known.has(item))
    const expected = `some of ${displayNames(exchange, names)}`
    return compare(exchange, holds, expected, displayItems(exchange, items))
  },

  toLackItem(exchange: Exchange, name: string) {
    const present = namesIn(exchange.json).some((item) => sameName(item, name))
    return compare(exchange, !present, `a list without ${name}`, present ? `${name} in it` : 'none')
  },

  /** A list of the same repositories as another response, in any order. */
  toHoldTheSameAs(exchange: Exchange, other: Exchange) {
    const [names, others] = [namesIn(exchange.json), namesIn(other.json)]
    const known = new Set(names)
    const isSame = known.size === new Set(others).size && others.every((name) => known.has(name))
    const pass = Array.isArray(exchange.json) && isSame
    const expected = `the items of ${other.record.request.url}: ${displayNames(other, others)}`
    return compare(exchange, pass, expected, displayItems(exchange, names))
  },

  /** The `X-Page` of another response, where both have one. */
  toTellTheSamePageAs(exchange: Exchange, other: Exchange) {
    const [page, others] = [exchange, other].map(({ headers }) => headers.get('x-page'))
    const pass = page === null || others === null || page === others
    const expected = `the X-Page of ${other.record.request.url}: ${others}`
    return compareHeader(exchange, 'X-Page', pass, expected)
  },

  toLinkTo(exchange: Exchange, relation: string) {
    const pass = linkTargets(exchange.headers.get('link')).has(relation)
    return compareHeader(exchange, 'Link', pass, `a Link with relation ${relation}`)
  },

  toLackLinkTo(exchange: Exchange, relation: string) {
    const pass = !linkTargets(exchange.headers.get('link')).has(relation)
    return compareHeader(exchange, 'Link', pass, `no Link with relation ${relation}`)
  },

  toHaveLinkOfRelations(exchange: Exchange, ...relations: string[]) {
    const expected = `Link of <target>; rel=… with relations ${relations.join(', ')}`
    const field = exchange.headers.get('link')
    try {
      const values = parseLink(field ?? '')
      const holds =
        values.length > 0 && values.every(({ relation = '' }) => relations.includes(relation))
      return compareHeader(exchange, 'Link', holds, expected)
    } catch (error) {
      const actual = `${displayHeader(exchange, 'Link', field)} (${(error as Error).message})`
      return compare(exchange, false, expected, actual, { header: 'Link' })
    }
  },

  toWarnOfTheScheme(exchange: Exchange) {
    const expected = 'Warning: 299 with a text that says "deprecated" and names Bearer'
    return compareHeader(exchange, 'Warning', warnsOfScheme(exchange), expected)
  },

  /** No such `Warning`; others do not count. */
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
    // Any origin and prefix; a relative reference, a query and a fragment are links too.
    const base = 'http://relative.invalid'
    const link = typeof url === 'string' && URL.canParse(url, base) && new URL(url, base)
    const pass = link && /\/api\/swagger\/?$/.test(link.pathname)
    return compareField(exchange, 'url', pass, 'a url that leads to /api/swagger')
  },

  /** An error body whose message has this word, in any case. */
  toNameInMessage(exchange: Exchange, name: string) {
    const word = new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i')
    const holds = word.test(messageOf(exchange) ?? '')
    const actual = displayQuotedMessage(exchange) ?? 'no message'
    return compare(exchange, holds, `a message that names ${name}`, actual)
  },

  /** What holds; both texts complete "expected …, got …". */
  toShow: compare,
})
