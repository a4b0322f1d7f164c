import { setTimeout as delay } from 'node:timers/promises'
import { Inconclusive } from '../../lib/conformance/check-errors.ts'
import { currentScope } from '../../lib/conformance/check-scope.ts'
import { BASE_URL, exchangeOf, type StubResponse } from '../../lib/conformance/exchange.fixture.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { openLedger } from '../../lib/ledger/ledger.ts'
import { basic, bearer } from '../../lib/probe/credentials.ts'
import { type ProbeRequest, type ServiceRequest, TransportError } from '../../lib/probe/exchange.ts'
import { Redactor } from '../../lib/probe/redaction/redaction.ts'
import { CodeHostingClient } from './client.ts'
import { createCodeHostingContext } from './context.ts'
import { Reading } from './lists.ts'
import type { Account, CodeHostingTarget } from './variables.ts'

export type Handler = (request: ProbeRequest) => StubResponse | Promise<StubResponse>

export const MAXIMUM = 5

/** Returns a target with all variables set, with parts replaced. */
export function targetWith(parts: Partial<CodeHostingTarget> = {}): CodeHostingTarget {
  return {
    baseUrl: BASE_URL,
    username: 'maria',
    password: 'main-password',
    other: { username: 'otto', password: 'other-password' },
    otp: { username: 'tina', password: 'otp-password', secret: 'GEZDGNBVGY3TQOJQ' },
    admin: { username: 'ada', password: 'admin-password' },
    publicRepository: 'maria/public',
    privateRepository: 'maria/private',
    settings: {
      maxResponseItems: MAXIMUM,
      defaultPagingNum: 3,
      defaultGitTreesPerPage: 1000,
      defaultMaxBlobSize: 10_485_760,
      defaultMaxResponseSize: 104_857_600,
      allowLegacyTokenScheme: true,
      disableQueryAuthToken: false,
    },
    gatewayRateLimits: false,
    production: true,
    ...parts,
  }
}

interface FakeServiceOptions {
  maxPages?: number
  retries?: number
  /** Returns true if the response to a request is lost; called once per request. */
  isLost?: (request: ProbeRequest) => boolean
}

/** Creates a client and a run that send requests to a function. Gateway responses are inconclusive. */
export function fakeService(
  handler: Handler,
  { maxPages = 100, retries = 0, isLost = () => false }: FakeServiceOptions = {},
) {
  const redactor = new Redactor()
  /** Requests in order of arrival. */
  const sent: ProbeRequest[] = []

  async function send(service: string, request: ServiceRequest) {
    const full = { ...request, service, purpose: currentScope()?.purpose ?? 'run' }
    const id = `e${sent.push(full)}`
    const exchange = exchangeOf(id, full, await handler(full), redactor)
    currentScope()?.exchanges.add(id)
    if (isLost(full)) {
      const cause = new TransportError('the connection was reset', exchange.record, 'connection')
      throw new Inconclusive({ kind: 'transport', exchange: id, detail: 'reset' }, { cause })
    }
    if (exchange.origin.by === 'service') return exchange
    throw new Inconclusive({ kind: 'gateway', exchange: id, status: exchange.status })
  }

  const run: Run = {
    settings: {
      runId: 'run7',
      version: '0',
      target: {
        probe: {
          readOnly: false,
          wording: 'strict',
          evidence: 'full',
          concurrency: 1,
          timeoutMs: 1000,
          retries,
          maxBodyBytes: 1000,
          maxPages,
          proxy: {},
        },
      },
      secrets: [],
      embedded: false,
      selected: [],
      checks: [],
    },
    redactor,
    normalize: (text) => text,
    ledger: openLedger(undefined, 'run7'),
    leakedResources: [],
    closings: [],
    exchanges: [],
    send,
    takeUnreported: () => [],
    wait: (milliseconds) => delay(milliseconds),
    close: async () => {},
  }
  const client = new CodeHostingClient(
    BASE_URL,
    (request) => send('code-hosting', request),
    async () => bearer('default-token'),
  )
  return { run, client, sent }
}

/** Creates the context of checks for such a service. */
export function contextWith(
  parts: Partial<CodeHostingTarget> = {},
  handler: Handler = server(),
  options: FakeServiceOptions = {},
) {
  const { run, sent } = fakeService(handler, options)
  run.settings.target.codeHosting = targetWith(parts)
  return { ...createCodeHostingContext(run), sent }
}

/** `maria/r1` to `maria/r<count>`. */
export function repositoryNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `maria/r${index + 1}`)
}

function linkTo(url: URL, page: number, relation: string): string {
  const target = new URL(url)
  target.searchParams.set('page', String(page))
  return `<${target.href}>; rel="${relation}"`
}

/** Returns a page of a repository list as documented, with the settings of `targetWith`. */
export function listResponse(names: readonly string[], url: URL): StubResponse {
  const requested = Number(url.searchParams.get('limit') ?? 0)
  const limit = requested > 0 ? Math.min(requested, MAXIMUM) : 3
  const page = Math.max(1, Number(url.searchParams.get('page') ?? 1))
  const last = Math.ceil(names.length / limit)
  const items = names.slice((page - 1) * limit, page * limit)
  const links = [
    ...(page < last ? [linkTo(url, page + 1, 'next'), linkTo(url, last, 'last')] : []),
    ...(page > 1 ? [linkTo(url, 1, 'first'), linkTo(url, page - 1, 'prev')] : []),
  ]
  return {
    json: items.map((name) => ({ full_name: name })),
    headers: {
      'X-Total-Count': String(names.length),
      'X-Page': String(page),
      'X-PerPage': String(limit),
      'X-HasMore': String(page < last),
      ...(last > 1 ? { Link: links.join(', ') } : {}),
    },
  }
}

/** Changes a response of the list. */
export type Change = (response: StubResponse, url: URL) => StubResponse

/** Creates a list of `count` repositories, of which `maxPages` pages may be read. */
export function repositoryListOf(
  count: number,
  { change = (response) => response, maxPages = 100 }: { change?: Change; maxPages?: number } = {},
) {
  const names = repositoryNames(count)
  const { client, sent } = fakeService(({ url }) => change(listResponse(names, url), url))
  const list = new Reading(client, { maximum: MAXIMUM, maxPages }, async () => ({}))
  return { list, names, sent }
}

/** Creates a small code hosting service for the accounts of `targetWith`; `default-token` belongs to maria. */
export function server(): Handler {
  const { username, password, other, otp, admin } = targetWith()
  const users = [{ username, password }, other, otp, admin] as Account[]
  /** Login names by the values of `Authorization`. */
  const logins = new Map(
    users.map((user) => [basic(user.username, user.password).value, user.username]),
  )
  const grant = (token: string, login: string) => logins.set(`Bearer ${token}`, login)
  grant('default-token', 'maria')
  const taken = new Set<string>()
  const reject = (status: number, message: string): StubResponse => ({ status, json: { message } })

  function create({ body = '', headers }: ProbeRequest, login: string): StubResponse {
    const code = headers?.['X-Service-OTP']
    if (login === 'tina' && code === undefined) return reject(401, 'a code is required')
    let token: { name?: string; scopes: string[] }
    try {
      token = JSON.parse(body)
    } catch {
      return reject(400, 'no JSON')
    }
    if (token.name === undefined) return reject(422, 'name is required')
    if (token.scopes.includes('read:plumbline')) return reject(400, 'unknown scope')
    const name = `${login} ${token.name}`
    if (taken.has(name)) return reject(400, 'the name is taken')
    taken.add(name)
    const value = `issued-value-${String(taken.size).padStart(2, '0')}-of-${login}`
    grant(value, login)
    return { status: 201, json: { sha1: value, token_last_eight: value.slice(-8) } }
  }

  return (request) => {
    const { credentials, method, url } = request
    const authorization = credentials?.kind === 'authorization' ? credentials.value : ''
    const login = logins.get(authorization)
    const { pathname } = url
    if (pathname.endsWith('/settings/api')) return { json: { max_response_items: MAXIMUM } }
    if (login === undefined) return reject(401, 'invalid username, password or token')
    if (pathname.endsWith('/user')) return { json: { login } }
    if (pathname.endsWith('/user/repos')) return listResponse(repositoryNames(12), url)
    if (pathname.includes('/repos/')) return { json: { full_name: pathname.slice(14) } }
    if (method === 'DELETE') return { status: 204 }
    const hasPassword = authorization.startsWith('Basic ')
    return hasPassword ? create(request, login) : reject(401, 'a password is required')
  }
}
