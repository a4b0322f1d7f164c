import {
  inconclusiveResponse,
  skip,
  skipUnobserved,
} from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { displayQuotedMessage, messageOf } from '../../../lib/conformance/describe-exchange.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { noteLeftOut } from '../../../lib/conformance/evidence-scope.ts'
import { anonymous, bearer } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Resource } from '../access-model.ts'
import type { CallOptions, CodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Scope, ScopeCategory } from './scopes.ts'

/** A documented endpoint that asks for a token. */
export interface ProtectedEndpoint {
  name: string
  /** The scope category that opens it alone; absent where two may share it. */
  category?: ScopeCategory
  request(options?: CallOptions): Promise<Exchange>
}

function answersTo(endpoints: readonly ProtectedEndpoint[], token: string) {
  return allOrWorst(
    endpoints.map(async (endpoint) => ({
      endpoint,
      response: await endpoint.request({ credentials: bearer(token) }),
    })),
  )
}

/** Those that the main account can read: there a refusal of another token is about that token. */
export async function readableEndpoints(
  endpoints: readonly ProtectedEndpoint[],
  token: string,
): Promise<ProtectedEndpoint[]> {
  const answers = await answersTo(endpoints, token)
  const readable = answers.flatMap(({ endpoint, response }) => {
    if (isSuccess(response)) return [endpoint]
    const text = `the main account got ${response.status}`
    noteLeftOut(endpoint.name, { kind: 'missing', text, exchange: response.id })
    return []
  })
  if (readable.length === 0) skip('no endpoint can be read with a token of the main account')
  return readable
}

/** The endpoints that ask for a token; that of a repository only where one is configured. */
export function protectedEndpoints(
  { publicRepository }: CodeHostingTarget,
  client: CodeHostingClient,
): ProtectedEndpoint[] {
  const endpoints: ProtectedEndpoint[] = [
    { name: 'GET /user', category: 'user', request: client.user },
    {
      name: 'GET /user/repos',
      request: (options) => client.repositories({}, options),
    },
  ]
  const name = 'GET /repos/{owner}/{repo}'
  if (publicRepository === undefined) {
    const text = 'CODE_HOSTING_PUBLIC_REPOSITORY is not set'
    noteLeftOut(name, { kind: 'missing', text })
    return endpoints
  }
  const request = (options?: CallOptions) => client.repository(publicRepository, options)
  return [...endpoints, { name, category: 'repository', request }]
}

/** The response to a token without the scope of the request. */
export interface ScopeRejection {
  /** Of a documented endpoint. */
  resource?: Resource
  /** Scopes of which any grants the request. */
  scopes: readonly Scope[]
  /** The scopes of the token. */
  granted: readonly Scope[]
  response: Exchange
}

/** All scopes that there are take a few hundred characters. */
const LONGEST_MESSAGE = 4096

/** Returns the messages of 403 responses; others are judged elsewhere. @throws Skip if there is none */
export function messagesOf(rejections: readonly ScopeRejection[]) {
  const forbidden = rejections.filter(({ response }) => response.status === 403)
  const messages = forbidden.map((rejection) => {
    const message = messageOf(rejection.response) ?? ''
    if (message.length > LONGEST_MESSAGE) {
      const long = `the message has ${message.length} characters, and no more than ${LONGEST_MESSAGE} are read`
      inconclusiveResponse(long, rejection.response)
    }
    return { ...rejection, message, told: displayQuotedMessage(rejection.response) ?? 'no message' }
  })
  if (messages.length === 0) skipUnobserved('no 403 was given for a missing scope')
  return messages
}

/** An endpoint below `/api/v1` that is there whatever a server holds, and what it said. */
type FixedEndpoint = { path: string; response: Exchange }

/** Why the endpoint is not found below the prefix; `undefined` where nothing speaks against it. */
export function absence({ path, response }: FixedEndpoint): string | undefined {
  const { status, headers, request } = response
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null && URL.canParse(location, request.url.href)) {
    const { pathname } = new URL(location, request.url)
    // One to the same path elsewhere, or to a page about signing in, says nothing about the prefix.
    const isElsewhere = pathname.endsWith(path) && !pathname.endsWith(`/api/v1${path}`)
    if (isElsewhere) return `a redirect to ${pathname}`
  }
  return status === 404 || status === 410 ? `status ${status}` : undefined
}

/**
 * The documented endpoints without a variable in their path that are read. They are asked for without
 * credentials first; where the answer does not show that the endpoint is there, with credentials.
 */
export function fixedEndpoints(client: CodeHostingClient): Promise<FixedEndpoint>[] {
  const requests: Record<string, (options?: CallOptions) => Promise<Exchange>> = {
    '/settings/api': client.settings,
    '/user': client.user,
    '/user/repos': (options) => client.repositories({}, options),
  }
  return Object.entries(requests).map(async ([path, request]) => {
    const open = { path, response: await request({ credentials: anonymous }) }
    // Anybody may read the settings.
    const isKnown = path === '/settings/api' || absence(open) === undefined
    return isKnown ? open : { path, response: await request() }
  })
}

/** The settings record, read without credentials or, where those are asked for, with them. */
export async function readSettingsRecord(client: CodeHostingClient): Promise<Exchange> {
  const open = await client.settings({ credentials: anonymous })
  const record = open.status === 200 ? open : await client.settings()
  if (record.status === 200) return record
  const see = 'see code-hosting/settings/readable-by-any-client'
  return skip(`the settings record was answered with ${record.status}; ${see}`)
}
