import {
  inconclusiveResponse,
  skip,
  skipUnobserved,
} from '../../../lib/conformance/check-errors.ts'
import { displayQuotedMessage, messageOf } from '../../../lib/conformance/describe-exchange.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CallOptions, CodeHostingClient } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { TokenScope } from '../tokens/scopes.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Resource } from './case.ts'

/** A documented endpoint that requires a token. */
export interface ProtectedEndpoint {
  name: string
  /** @throws Skip if no repository is configured for it */
  request(options?: CallOptions): Promise<Exchange>
}

/** Returns the endpoints that require a token. */
export function protectedEndpoints(
  { publicRepository }: CodeHostingTarget,
  client: CodeHostingClient,
): ProtectedEndpoint[] {
  return [
    { name: 'GET /user', request: client.user },
    { name: 'GET /user/repos', request: (options) => client.repositories({}, options) },
    {
      name: 'GET /repos/{owner}/{repo}',
      request: async (options) =>
        client.repository(publicRepository ?? skipUnmetNeed('public repository'), options),
    },
  ]
}

/** A request with a token that lacks its scope. */
export interface ScopeRejection {
  /** Id of the case. */
  name: string
  resource?: Resource
  /** Alternative scopes that grant the request. */
  scopes: readonly TokenScope[]
  /** The scopes of the token. */
  granted: readonly TokenScope[]
  /** @throws Skip if a token with all scopes is rejected too */
  respond(): Promise<Exchange>
}

export interface ScopeMessage {
  response: Exchange
  message: string
  quoted: string
}

/** Maximum message length; all scopes take a few hundred characters. */
const MAX_MESSAGE_CHARS = 4096

/** Sends the request and returns the message of its response. @throws Skip if the status is not 403 */
export async function scopeMessageOf({ respond }: ScopeRejection): Promise<ScopeMessage> {
  const response = await respond()
  if (response.status !== 403) skipUnobserved(`the status was ${response.status} instead of 403`)
  const message = messageOf(response) ?? ''
  if (message.length > MAX_MESSAGE_CHARS) {
    const long = `the message has ${message.length} characters, more than ${MAX_MESSAGE_CHARS}`
    inconclusiveResponse(long, response)
  }
  return { response, message, quoted: displayQuotedMessage(response) ?? 'no message' }
}

/** An endpoint below `/api/v1` that exists on every server, and its response. */
type FixedEndpoint = { path: string; response: Exchange }

/** Returns the reason why an endpoint does not exist below the prefix; undefined if it may exist. */
export function absence({ path, response }: FixedEndpoint): string | undefined {
  const { status, headers, request } = response
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null && URL.canParse(location, request.url.href)) {
    const { pathname } = new URL(location, request.url)
    // A redirect to the same path or to a sign-in page does not concern the prefix.
    const isElsewhere = pathname.endsWith(path) && !pathname.endsWith(`/api/v1${path}`)
    if (isElsewhere) return `a redirect to ${pathname}`
  }
  return status === 404 || status === 410 ? `status ${status}` : undefined
}

/**
 * Reads the documented endpoints without path variables, first without credentials. If the response
 * does not show that the endpoint exists, the request is repeated with credentials.
 */
export function fixedEndpoints(client: CodeHostingClient): Promise<FixedEndpoint>[] {
  const requests: Record<string, (options?: CallOptions) => Promise<Exchange>> = {
    '/settings/api': client.settings,
    '/user': client.user,
    '/user/repos': (options) => client.repositories({}, options),
  }
  return Object.entries(requests).map(async ([path, request]) => {
    const open = { path, response: await request({ credentials: anonymous }) }
    // The settings need no credentials.
    const isFinal = path === '/settings/api' || absence(open) === undefined
    return isFinal ? open : { path, response: await request() }
  })
}

/** Reads the settings record, with credentials only if the server requires them. */
export async function readSettingsRecord(client: CodeHostingClient): Promise<Exchange> {
  const open = await client.settings({ credentials: anonymous })
  const record = open.status === 200 ? open : await client.settings()
  if (record.status === 200) return record
  const see = 'see code-hosting/settings/readable-by-any-client'
  return skip(`the settings record was not returned (status ${record.status}); ${see}`)
}
