import { isSuccess } from '../../../lib/conformance/contrast.ts'
import {
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayValue,
} from '../../../lib/conformance/exchange-words.ts'
import { compare, type Expectations, expect, messageOf } from '../../../lib/conformance/matchers.ts'
import type { Reads } from '../../../lib/conformance/scope.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { linkTargets, parseLink, parseWarning } from '../../../lib/probe/header-fields.ts'
import { documentationUrl } from './exchanges.ts'

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

function sameSet(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(some)
  return set.size === new Set(others).size && others.every((name) => set.has(name))
}

/** Any origin and prefix; a relative reference, a query and a fragment are links too. */
function leadsToDocumentation(url: string): boolean {
  if (!URL.canParse(url, 'http://relative.invalid')) return false
  return new URL(url, 'http://relative.invalid').pathname
    .replace(/\/$/, '')
    .endsWith('/api/swagger')
}

/** The texts of the values with warn-code 299 that speak of a deprecated scheme and name Bearer. */
function schemeWarnings(exchange: Exchange): string[] {
  return parseWarning(exchange.headers.get('warning') ?? '')
    .filter(({ code, text }) => code === 299 && /deprecated/i.test(text) && /bearer/i.test(text))
    .map(({ text }) => text)
}

function displayItems(exchange: Exchange, names: readonly string[]): string {
  return Array.isArray(exchange.json) ? displayNames(exchange, names) : withoutList(exchange)
}

function withoutList(exchange: Exchange): string {
  return `no list, with ${displayStatus(exchange)}`
}

const matchers = {
  /** A user record with this login, in any case. */
  toShowUser(exchange: Exchange, login: string) {
    const actual = field(exchange.json, 'login')
    return compare(
      exchange,
      isSuccess(exchange) && sameName(actual, login),
      `login "${login}"`,
      isSuccess(exchange) ? shown(exchange, 'login', actual) : `status ${exchange.status}`,
      isSuccess(exchange) ? undefined : { status: true },
    )
  },

  /** A repository record with this full name, in any case. */
  toShowRepository(exchange: Exchange, fullName: string) {
    const actual = field(exchange.json, 'full_name')
    return compare(
      exchange,
      sameName(actual, fullName),
      `full_name "${fullName}"`,
      shown(exchange, 'full_name', actual),
    )
  },

  /** A record in which this field has exactly this value. */
  toHaveField(exchange: Exchange, name: string, value: string | number) {
    const actual = field(exchange.json, name)
    // What is expected of a record may come from the record.
    const expected = shown(exchange, name, value)
    return compare(exchange, actual === value, expected, shown(exchange, name, actual))
  },

  /** A list of exactly this many items. */
  toHaveItems(exchange: Exchange, count: number) {
    const { json } = exchange
    const actual = Array.isArray(json) ? `${json.length} items` : withoutList(exchange)
    return compare(exchange, Array.isArray(json) && json.length === count, `${count} items`, actual)
  },

  /** A list of no more items than this. */
  toHaveItemsUpTo(exchange: Exchange, count: number) {
    const { json } = exchange
    const items = Array.isArray(json) ? json.length : 0
    return compare(exchange, items <= count, `${count} items at most`, `${items} items`)
  },

  /** A list of repositories that all have one of these full names; empty only where there are none. */
  toHoldItemsOf(exchange: Exchange, names: readonly string[]) {
    const items = namesIn(exchange.json)
    const known = new Set(names)
    const holds =
      Array.isArray(exchange.json) &&
      items.every((item) => known.has(item)) &&
      (items.length > 0 || names.length === 0)
    return compare(
      exchange,
      holds,
      `some of ${displayNames(exchange, names)}`,
      displayItems(exchange, items),
    )
  },

  /** A list without this full name, in any case. */
  toLackItem(exchange: Exchange, name: string) {
    const names = namesIn(exchange.json)
    const present = names.some((item) => sameName(item, name))
    return compare(exchange, !present, `a list without ${name}`, present ? `${name} in it` : 'none')
  },

  /** A list of the same repositories as another response, in any order. */
  toHoldTheSameAs(exchange: Exchange, other: Exchange) {
    const names = namesIn(exchange.json)
    const others = namesIn(other.json)
    return compare(
      exchange,
      Array.isArray(exchange.json) && sameSet(names, others),
      `the items of ${other.record.request.url}: ${displayNames(other, others)}`,
      displayItems(exchange, names),
    )
  },

  /** The `X-Page` of another response, where both have one. */
  toTellTheSamePageAs(exchange: Exchange, other: Exchange) {
    const [page, others] = [exchange, other].map(({ headers }) => headers.get('x-page'))
    return compare(
      exchange,
      page === null || others === null || page === others,
      `the X-Page of ${other.record.request.url}: ${others}`,
      `X-Page: ${page}`,
      { header: 'X-Page' },
    )
  },

  toLinkTo(exchange: Exchange, relation: string) {
    const link = exchange.headers.get('link')
    return compare(
      exchange,
      linkTargets(link).has(relation),
      `a Link with relation ${relation}`,
      link === null ? 'no Link' : `Link: ${link}`,
      { header: 'Link' },
    )
  },

  toLackLinkTo(exchange: Exchange, relation: string) {
    const link = exchange.headers.get('link')
    return compare(
      exchange,
      !linkTargets(link).has(relation),
      `no Link with relation ${relation}`,
      `Link: ${link}`,
      { header: 'Link' },
    )
  },

  /** A well-formed `Link` with none but these relations. */
  toHaveLinkOfRelations(exchange: Exchange, ...relations: string[]) {
    const link = exchange.headers.get('link') ?? ''
    const expected = `Link of <target>; rel=… with relations ${relations.join(', ')}`
    try {
      const values = parseLink(link)
      const strange = values.find(({ relation }) => !relations.includes(relation ?? ''))
      const holds = values.length > 0 && strange === undefined
      return compare(exchange, holds, expected, `Link: ${link}`, { header: 'Link' })
    } catch (error) {
      const actual = `Link: ${link} (${(error as Error).message})`
      return compare(exchange, false, expected, actual, { header: 'Link' })
    }
  },

  /** A `Warning` that says the scheme is deprecated and names Bearer. */
  toWarnOfTheScheme(exchange: Exchange) {
    const warning = exchange.headers.get('warning')
    return compare(
      exchange,
      schemeWarnings(exchange).length > 0,
      'Warning: 299 with a text that says "deprecated" and names Bearer',
      warning === null ? 'no Warning' : `Warning: ${warning}`,
      { header: 'Warning' },
    )
  },

  /** No such `Warning`; others do not count. */
  toWarnOfNoScheme(exchange: Exchange) {
    const [text] = schemeWarnings(exchange)
    return compare(
      exchange,
      text === undefined,
      'no Warning of a deprecated scheme',
      text === undefined ? 'none' : `Warning: ${exchange.headers.get('warning')}`,
      { header: 'Warning' },
    )
  },

  /** Any status but 401 and 403. */
  toBeAllowed(exchange: Exchange) {
    const { status } = exchange
    const allowed = status !== 401 && status !== 403
    const detail = allowed ? undefined : displayMessage(exchange)
    return compare(
      exchange,
      allowed,
      'access',
      `status ${status}${detail === undefined ? '' : ` (${detail})`}`,
      { status: true },
    )
  },

  /** An error body whose `url` leads to the API documentation. */
  toLinkToDocumentation(exchange: Exchange) {
    const url = documentationUrl(exchange)
    return compare(
      exchange,
      url !== undefined && leadsToDocumentation(url),
      'a url that leads to /api/swagger',
      shown(exchange, 'url', url),
    )
  },

  /** An error body whose message has this word, in any case. */
  toNameInMessage(exchange: Exchange, name: string) {
    const message = messageOf(exchange)
    const word = new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i')
    return compare(
      exchange,
      message !== undefined && word.test(message),
      `a message that names ${name}`,
      displayQuotedMessage(exchange) ?? 'no message',
    )
  },

  /** What `holds`; both texts complete "expected …, got …". */
  toShow(exchange: Exchange, holds: boolean, expected: string, actual: string, reads?: Reads) {
    return compare(exchange, holds, expected, actual, reads)
  },
}

expect.extend(matchers)

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the merged declaration must repeat the parameters of Vitest's own
  interface Matchers<T = any> extends Expectations<typeof matchers, T> {}
}

export { expect }
