/** Questions about responses, and the page of the documentation. */
import { isDeepStrictEqual } from 'node:util'
import { checkSettings, inconclusive, skip } from '../../lib/conformance/check-errors.ts'
import { displayMessage } from '../../lib/conformance/describe-exchange.ts'
import { isBelow } from '../../lib/probe/base-url.ts'
import { basic, type Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { type CodeHostingClient, codeHostingEndpoints } from './client.ts'
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
export function isSupplied(
  { request, status }: Exchange,
  { target }: { target: CodeHostingTarget },
) {
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

const textIn =
  (field: string) =>
  ({ json }: Exchange): string | undefined => {
    const value: unknown = Object(json)[field]
    return typeof value === 'string' ? value : undefined
  }

/** Returns the login of a user record; undefined if there is none. */
export const loginIn = textIn('login')

/** Returns the `url` of an error body; undefined if it is not a string. */
export const documentationUrl = textIn('url')

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
