import { isDeepStrictEqual } from 'node:util'
import { basic } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { codeHostingEndpoints } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'

export const isOfTheService = ({ origin }: Exchange) => origin.by === 'service'

/** A response of the service to a documented request below `/api/v1`. */
export const isApiResponse = (exchange: Exchange) =>
  isOfTheService(exchange) && exchange.request.endpoint !== codeHostingEndpoints.documentation

export const isApiError = (exchange: Exchange) =>
  isApiResponse(exchange) && exchange.status >= 400 && exchange.status <= 500

export const isListPage = (exchange: Exchange) =>
  exchange.request.endpoint === codeHostingEndpoints.repositories &&
  exchange.status === 200 &&
  (exchange.leastElements !== undefined || Array.isArray(exchange.json))

function isBeyond(value: string | null, bits: bigint): boolean {
  if (value === null || !/^-?\d+$/.test(value)) return false
  const bound = 2n ** bits
  return BigInt(value) >= bound || BigInt(value) <= -bound
}

/** A page of a list whose numbers are within the bounds for which the document states what they mean. */
export const isStatedPage = (exchange: Exchange) => {
  const { searchParams } = exchange.request.url
  const beyond = isBeyond(searchParams.get('page'), 53n) || isBeyond(searchParams.get('limit'), 63n)
  return isListPage(exchange) && !beyond
}

/** A page of a list, or null instead of an empty one. */
export const isListOrNull = (exchange: Exchange) =>
  isListPage(exchange) ||
  (exchange.request.endpoint === codeHostingEndpoints.repositories &&
    exchange.status === 200 &&
    exchange.json === null)

/** Whether a site admin asked, in whose responses more may be told. */
export const isAskedByAdmin = ({ request }: Exchange, { admin }: CodeHostingTarget) =>
  admin !== undefined &&
  isDeepStrictEqual(request.credentials, basic(admin.username, admin.password))

/** Returns the login of a user record; `undefined` if there is none. */
export function loginIn({ json }: Exchange): string | undefined {
  const login = (json as { login?: unknown } | null | undefined)?.login
  return typeof login === 'string' ? login : undefined
}

/** What an error body's `url` holds, where it is text. */
export function documentationUrl({ json }: Exchange): string | undefined {
  const url = (json as { url?: unknown } | null | undefined)?.url
  return typeof url === 'string' ? url : undefined
}

/** Returns true for any origin and prefix. */
export const leadsToDocumentation = ({ pathname }: URL) => /\/api\/swagger\/?$/.test(pathname)

/** The origin that a link names, or that it is relative; `undefined` for what is no link. */
export function originOf(link = ''): string | undefined {
  if (URL.canParse(link)) return new URL(link).origin
  return link.startsWith('/') || link.startsWith('?') ? 'relative' : undefined
}

/** The fields of a response that contain a value, the body as `body`; empty when none does. */
export function placesOf(value: string, { headers, text, request }: Exchange): string[] {
  const places = text.includes(value) ? ['body'] : []
  const sentInQuery = request.credentials?.kind === 'query' && request.credentials.token === value
  for (const [name, content] of headers) {
    // A target that repeats the query of its request gives nothing away that was not sent.
    const repeatsQuery = sentInQuery && (name === 'link' || name === 'location')
    if (content.includes(value) && !repeatsQuery) places.push(name)
  }
  return places
}
