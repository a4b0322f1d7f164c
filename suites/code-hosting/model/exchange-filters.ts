import { isDeepStrictEqual } from 'node:util'
import { basic } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { codeHostingEndpoints } from '../client.ts'
import type { CodeHostingTarget, SuppliedRequest } from '../variables.ts'

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

const isList = ({ request, status }: Exchange) =>
  request.endpoint === codeHostingEndpoints.repositories && status === 200

export const isListPage = (exchange: Exchange) =>
  isList(exchange) && (exchange.minLength !== undefined || Array.isArray(exchange.json))

/** Returns true for a list page, or null instead of an empty list. */
export const isListOrNull = (exchange: Exchange) =>
  isListPage(exchange) || (isList(exchange) && exchange.json === null)

function isBeyond(value: string | null, bits: bigint): boolean {
  if (value === null || !/^-?\d+$/.test(value)) return false
  const bound = 2n ** bits
  return BigInt(value) >= bound || BigInt(value) <= -bound
}

/** Returns true if the page and limit of a query are within the documented ranges. */
export const hasStatedQuery = ({ request: { url } }: Exchange) =>
  !isBeyond(url.searchParams.get('page'), 53n) && !isBeyond(url.searchParams.get('limit'), 63n)

export const PAGINATION_HEADERS = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

/** Returns true for a page of another list than that of repositories: of tokens, or with a field of pages. */
export function isOtherList(
  exchange: Exchange,
  { target }: { target: CodeHostingTarget },
): boolean {
  const { request, status, headers, links, minLength } = exchange
  const { endpoint, method, url } = request
  if (endpoint !== undefined || method !== 'GET' || status !== 200) return false
  if (!isOfTheService(exchange) || !url.href.startsWith(`${target.baseUrl}/api/v1/`)) return false
  // Read last: a body may be too large.
  if (minLength === undefined && !Array.isArray(exchange.json)) return false
  const { baseUrl, tokenList } = target
  const isOfTokens = tokenList && new URL(baseUrl + tokenList.path).pathname === url.pathname
  // Other pages than those of lists may have links of other relations.
  const isPage = PAGINATION_HEADERS.some((name) => name !== 'Link' && headers.has(name))
  return isOfTokens === true || isPage || links.targets.has('next') || links.targets.has('prev')
}

/** Returns true for a page of any list whose query parameters are within the documented ranges. */
export const isStatedPage = (exchange: Exchange, context: { target: CodeHostingTarget }) =>
  (isListPage(exchange) || isOtherList(exchange, context)) && hasStatedQuery(exchange)

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
