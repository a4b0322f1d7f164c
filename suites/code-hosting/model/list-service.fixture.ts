import type { StubResponse } from '../../../lib/conformance/exchange.fixture.ts'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import {
  contextWith,
  type Handler,
  listResponse,
  repositoryNames,
  server,
  withFields,
} from '../service.fixture.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { listRules } from './list-rules.ts'

/** A request for a list, as the service below reads it. */
export interface ListRequest {
  owner: 'maria' | 'otto' | 'ada' | 'public-only'
  /** Sudo, the query parameter of a token, or the scheme. */
  sentAs: 'sudo' | 'parameter' | 'Bearer' | 'Basic' | 'token'
  limit: number | undefined
  page: number | undefined
  url: URL
}

export type Change = (response: StubResponse, request: ListRequest) => StubResponse

export interface Service {
  change?: Change
  counts?: Partial<Record<ListRequest['owner'], number>>
}

const defaultCounts = { maria: 23, otto: 7, ada: 2, 'public-only': 11 }

/** Returns the list of a user; a public-only token sees a part of the list of maria. */
export function listOf(owner: ListRequest['owner'], counts: Service['counts'] = {}): string[] {
  const names = repositoryNames({ ...defaultCounts, ...counts }[owner])
  return owner === 'public-only' ? names : names.map((name) => name.replace('maria', owner))
}

/** Creates a service with a list for each user. */
export function listService({ change = (response) => response, counts = {} }: Service): Handler {
  const handler = server()
  const restricted = new Set<string>()

  function asBearer({ credentials, ...request }: ProbeRequest): ProbeRequest {
    const value = credentials?.kind === 'authorization' ? credentials.value : ''
    const token =
      credentials?.kind === 'query' ? credentials.token : /^(?:token|bearer) (.*)/i.exec(value)?.[1]
    if (token === undefined) return { credentials, ...request }
    return { ...request, credentials: { kind: 'authorization', value: `Bearer ${token}` } }
  }

  return async (request) => {
    const { credentials, headers = {}, url, body = '' } = request
    const bearer = asBearer(request)
    const value = bearer.credentials?.kind === 'authorization' ? bearer.credentials.value : ''
    if (!url.pathname.endsWith('/user/repos')) {
      const response = await handler(bearer)
      const { sha1 } = (response.json ?? {}) as { sha1?: string }
      if (body.includes('public-only')) restricted.add(`Bearer ${sha1}`)
      return response
    }
    const user = await handler({ ...bearer, url: new URL('/api/v1/user', url) })
    if (user.status) return user
    const sudo = headers.Sudo ?? url.searchParams.get('sudo')
    const { login } = user.json as { login: ListRequest['owner'] }
    const owner = restricted.has(value) ? 'public-only' : ((sudo ?? login) as ListRequest['owner'])
    const scheme =
      credentials?.kind === 'authorization' ? credentials.value.split(' ')[0] : 'parameter'
    const number = (name: string) =>
      url.searchParams.has(name) ? Number(url.searchParams.get(name)) : undefined
    const sentAs = (sudo ? 'sudo' : scheme) as ListRequest['sentAs']
    const parts = { owner, sentAs, limit: number('limit'), page: number('page'), url }
    return change(listResponse(listOf(owner, counts), url), parts)
  }
}

export type Rule = keyof typeof listRules

export interface Options extends Service {
  target?: Partial<CodeHostingTarget>
  maxPages?: number
}

export const limitRules = [
  'code-hosting/pagination/default-limit',
  'code-hosting/pagination/limit-not-positive',
  'code-hosting/pagination/limit-honoured',
  'code-hosting/pagination/limit-lowered',
] as const satisfies Rule[]

/** Judges rules by one run, and returns their results by rule. */
export async function judge(
  options: Options,
  ids: readonly Rule[] = Object.keys(listRules) as Rule[],
) {
  const { target, ...limits } = options
  const { lists, sent } = contextWith(target, listService(options), limits)
  const results = await Promise.all(
    ids.map(
      async (id) => [id, await runCheck(id, 'probe', () => lists.judge(listRules[id]))] as const,
    ),
  )
  return { results: Object.fromEntries(results), sent }
}

export const verdictsOf = (results: Record<string, { verdict: string }>) => [
  ...new Set(Object.values(results).map(({ verdict }) => verdict)),
]

/** Returns the names of the requirements whose rules fail. */
export async function failed(options: Options): Promise<string[]> {
  const { results } = await judge(options)
  return Object.entries(results).flatMap(([id, { verdict }]) =>
    verdict === 'fail' ? [id.replace('code-hosting/pagination/', '')] : [],
  )
}

/** Changes the items of pages. */
export const items =
  (change: (items: unknown[], request: ListRequest) => unknown[]): Change =>
  (response, request) => ({ ...response, json: change(response.json as unknown[], request) })

/** Changes header fields of pages; undefined removes one. */
export const fields =
  (
    change: (request: ListRequest, response: StubResponse) => Record<string, string | undefined>,
  ): Change =>
  (response, request) =>
    withFields(change(request, response))(response, request.url)
