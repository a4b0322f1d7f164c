/** Questions about responses, and the matchers of code hosting. */

import { isDeepStrictEqual } from 'node:util'
import { checkSettings, inconclusive, skip } from '../../lib/conformance/check-errors.ts'
import {
  compare,
  displayHeader,
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayText,
  displayValue,
  messageOf,
} from '../../lib/conformance/deviations.ts'
import { expectWith, isSuccess } from '../../lib/conformance/matchers.ts'
import { isBelow } from '../../lib/probe/base-url.ts'
import { basic, type Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { parseWarning } from '../../lib/probe/header-fields.ts'
import type { InspectedPart } from '../../lib/results/run-report.ts'
import { toPointer } from '../../lib/text/json.ts'
import { type CodeHostingClient, codeHostingEndpoints, textIn } from './client.ts'
import type { CodeHostingTarget, SuppliedRequest } from './variables.ts'

export const isOfTheService = ({ origin }: Exchange) => origin.by === 'service'

/** Returns true for a response of the service to a request below `/api/v1`. */
export const isApiResponse = (exchange: Exchange) =>
  isOfTheService(exchange) && exchange.request.endpoint !== codeHostingEndpoints.documentation

export const isApiError = (exchange: Exchange) =>
  isApiResponse(exchange) && exchange.status >= 400 && exchange.status <= 500

const isRequest = (value: unknown): value is SuppliedRequest =>
  typeof Object(value).path === 'string'

/** Returns true for a request of the operator below `/api/v1`, unless the path may not exist. */
function isSupplied({ request, status }: Exchange, { target }: { target: CodeHostingTarget }) {
  const url = new URL(request.url)
  // The rest of the query stays as the operator wrote it.
  if (url.searchParams.has('sudo')) url.searchParams.delete('sudo')
  const { href } = url
  return (
    href.startsWith(`${target.baseUrl}/api/v1/`) &&
    ![404, 405].includes(status) &&
    Object.values(target).some(
      (value) =>
        isRequest(value) &&
        value.method === request.method &&
        new URL(target.baseUrl + value.path).href === href,
    )
  )
}

/** Returns true for a response to a documented request, or to a request of the operator. */
export const isKnownRequest = (exchange: Exchange, context: { target: CodeHostingTarget }) =>
  exchange.request.endpoint !== undefined || isSupplied(exchange, context)

/**
 * Returns true for a response to a valid token in a scheme of `Authorization` that the server authenticated:
 * it was served, or rejected because of the scopes or the resource. The settings need no authentication.
 */
export function isSchemeResponse(
  scheme: string,
  exchange: Exchange,
  tokens: { isValid(value: string): boolean },
): boolean {
  const { request, status } = exchange
  const { credentials } = request
  if (!isApiResponse(exchange) || credentials?.kind !== 'authorization') return false
  if (request.endpoint === codeHostingEndpoints.settings) return false
  const [name = '', token = ''] = credentials.value.split(' ')
  return (
    name.toLowerCase() === scheme &&
    [200, 201, 204, 403, 404, 409, 423].includes(status) &&
    tokens.isValid(token)
  )
}

/** Returns true for a request of a site administrator, whose error messages may have more details. */
export const isSentByAdmin = ({ request }: Exchange, { admin }: CodeHostingTarget) =>
  admin !== undefined &&
  isDeepStrictEqual(request.credentials, basic(admin.username, admin.password))

/** Returns the `url` of an error body; undefined if it is not a string. */
export const documentationUrl = (exchange: Exchange) => textIn(exchange, 'url')

/** Returns true for any origin and prefix. */
export const leadsToDocumentation = ({ pathname }: URL) => /\/api\/swagger\/?$/.test(pathname)

/** Returns the origin of a link or `relative`; undefined for other texts. */
export function originOf(link = ''): string | undefined {
  if (URL.canParse(link)) return new URL(link).origin
  return link.startsWith('/') || link.startsWith('?') ? 'relative' : undefined
}

/** Returns the header fields, and `body`, that contain any of the values. */
export function placesOf(
  values: readonly string[],
  { headers, text, request: { credentials } }: Exchange,
): string[] {
  const sentInQuery = credentials?.kind === 'query' ? credentials.token : undefined
  const places = values.some((value) => text.includes(value)) ? ['body'] : []
  for (const [name, content] of headers) {
    // A link target may repeat the query of the request.
    const mayRepeatQuery = name === 'link' || name === 'location'
    const isIn = (value: string) =>
      content.includes(value) && !(mayRepeatQuery && value === sentInQuery)
    if (values.some(isIn)) places.push(name)
  }
  return places
}

/** The message of a rejection because of a missing scope. */
const FORM =
  /^token does not have at least one of required scope\(s\), required=\[([^\]]*)\], token scope=(.*)$/

const SCOPE_IN_TEXT = /\b(?:(?:read|write):[a-z]+|all|public-only)\b/g

const SCOPE = /^(?:(?:read|write):[a-z]+|all|public-only)$/

/** Parses the message of a missing scope; returns undefined for an undocumented form. */
export function parseScopeMessage(message: string) {
  const lists = FORM.exec(message)?.slice(1)
  const [required = [], granted = []] = (lists ?? []).map((list) =>
    list.split(/[\s,]+/).filter(Boolean),
  )
  const areScopes = [...required, ...granted].every((scope) => SCOPE.test(scope))
  return required.length > 0 && areScopes ? { required, granted } : undefined
}

/** Returns the scopes in a message. In an undocumented form, all of them count as required and granted. */
export function scopesNamed(message: string) {
  const named: string[] = message.match(SCOPE_IN_TEXT) ?? []
  return parseScopeMessage(message) ?? { required: named, granted: named }
}

const SIGN_IN = /\/(?:[^/]*[-_.])?(?:log|sign)[-_]?in(?:[-_.][^/]*)?(?:\/|$)/i

/** Reads the API documentation, with credentials if the server rejects a request without. */
export async function readDocumentation(
  client: CodeHostingClient,
  credentials: () => Promise<Credentials>,
): Promise<Exchange> {
  const open = await client.documentation()
  if (open.status !== 401 && open.status !== 403) return open
  return client.documentation({ credentials: await credentials() })
}

/**
 * @param elsewhere the response for a path that does not exist
 * @throws Inconclusive for a redirect outside the base URL, a sign-in page, and a page for any path
 */
export function requireDocumentation(
  documentation: Exchange,
  elsewhere: Exchange,
  baseUrl: string,
): void {
  const { status, headers, request, text } = documentation
  const location = headers.get('location') ?? ''
  const isLink = URL.canParse(location, request.url.href)
  const next = isLink ? new URL(location, request.url) : request.url
  if (status >= 300 && status < 400 && !isBelow(next, baseUrl)) {
    const problem = `/api/swagger redirects to ${location}, which is not below ${baseUrl} and was not requested`
    checkSettings(['CODE_HOSTING_BASE_URL'], problem, documentation)
  }
  if (SIGN_IN.test(request.url.pathname)) {
    inconclusive(`/api/swagger redirects to a sign-in page, ${request.url.pathname}`, documentation)
  }
  if (status === 200 && elsewhere.status === 200 && text === elsewhere.text) {
    inconclusive('/api/swagger returns the same page as a path that does not exist', documentation)
  }
}

/** Returns true for 401, and for 403, the status for accounts that must change their password. */
export const rejectsCredentials = ({ status }: Exchange) => status === 401 || status === 403

/** Maximum length of a token value that is sent, so that header fields stay small. */
export const MAX_SENT_CHARS = 4096
/** Visible ASCII characters, which every server reads alike in a header field. */
const SENDABLE = /^[\x21-\x7e]+$/

export function valueIn(json: unknown): string | undefined {
  const value: unknown = Object(json).sha1
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the name of a token in the request that creates it. */
export const nameOf = ({ request }: Exchange): string => JSON.parse(request.body ?? '{}').name

/** Returns the reason why a token value cannot be sent; undefined if it can. */
export function sendingProblem(value: string): string | undefined {
  const { length } = value
  if (length > MAX_SENT_CHARS) {
    return `has ${length} characters, and Plumbline sends at most ${MAX_SENT_CHARS}`
  }
  return SENDABLE.test(value) ? undefined : 'has characters that a header field cannot carry'
}

/** @throws Skip if there is no value, or the value cannot be sent */
export function tokenValue(creation: Exchange): string {
  const { status, json } = creation
  const value = status < 300 ? valueIn(json) : undefined
  if (value !== undefined && sendingProblem(value) === undefined) return value
  const message = displayMessage(creation)
  const actual = `${status}${message ? ` (${message})` : ''} and no usable value`
  const reason = `needs a token, and its creation returned ${actual}; see code-hosting/tokens/created`
  // Server errors for other tokens are not covered by that requirement.
  return status >= 500 ? inconclusive(reason, creation) : skip(reason)
}

const field = (json: unknown, name: string): unknown => Object(json)[name]

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

  toHaveItemsUpTo(exchange: Exchange, count: number) {
    const expected = `${count} items at most`
    if (isTooMany(exchange, count)) return compareTooMany(exchange, expected)
    const items = Array.isArray(exchange.json) ? exchange.json.length : undefined
    const actual = items === undefined ? displayItems(exchange, []) : `${items} items`
    const isMore = (items ?? 0) > count
    return compare(exchange, !isMore, expected, actual, isMore ? excessAfter(count) : undefined)
  },

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
