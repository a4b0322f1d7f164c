import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../../lib/conformance/exchange.fixture.ts'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import {
  contextWith,
  type Handler,
  listResponse,
  repositoryNames,
  server,
} from '../support/service.fixture.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { listRules } from './list-rules.ts'

const run = vi.hoisted(() => ({ seed: 1 }))

vi.mock('../../../lib/conformance/run.ts', async (original) => ({
  ...(await original<typeof import('../../../lib/conformance/run.ts')>()),
  seed: () => run.seed,
}))

beforeEach(() => {
  run.seed = 1
})

type Rule = keyof typeof listRules

/** A request for a list, as the service below reads it. */
interface ListRequest {
  owner: 'maria' | 'otto' | 'ada' | 'public-only'
  /** Sudo, the query parameter of a token, or the scheme. */
  sentAs: 'sudo' | 'parameter' | 'Bearer' | 'Basic' | 'token'
  limit: number | undefined
  page: number | undefined
  url: URL
}

type Change = (response: Answer, request: ListRequest) => Answer

interface Service {
  change?: Change
  counts?: Partial<Record<ListRequest['owner'], number>>
}

/** Creates a service whose users have lists of their own. */
function listService({ change = (response) => response, counts = {} }: Service): Handler {
  const handler = server()
  const restricted = new Set<string>()
  const lists = { maria: 23, otto: 7, ada: 2, 'public-only': 11, ...counts }

  function asBearer({ credentials, ...request }: ProbeRequest): ProbeRequest {
    const value = credentials?.kind === 'authorization' ? credentials.value : ''
    const token = credentials?.kind === 'query' ? credentials.token : /^token (.*)/.exec(value)?.[1]
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
    const names = repositoryNames(lists[owner]).map((name) => name.replace('maria', owner))
    const number = (name: string) =>
      url.searchParams.has(name) ? Number(url.searchParams.get(name)) : undefined
    const sentAs = (sudo ? 'sudo' : scheme) as ListRequest['sentAs']
    const parts = { owner, sentAs, limit: number('limit'), page: number('page'), url }
    return change(listResponse(names, url), parts)
  }
}

interface Options extends Service {
  target?: Partial<CodeHostingTarget>
  maxPages?: number
}

/** Judges rules by one run, and returns their results by rule. */
async function judge(options: Options, ids = Object.keys(listRules) as Rule[]) {
  const { target, ...limits } = options
  const { lists, sent } = contextWith(target, listService(options), limits)
  const results = await Promise.all(
    ids.map(
      async (id) => [id, await runCheck(id, 'probe', () => lists.judge(listRules[id]))] as const,
    ),
  )
  return { results: Object.fromEntries(results), sent }
}

async function failed(options: Options): Promise<string[]> {
  const { results } = await judge(options)
  return Object.entries(results).flatMap(([id, { verdict }]) =>
    verdict === 'fail' ? [id.replace('code-hosting/pagination/', '')] : [],
  )
}

it.only('x', async () => {
  const { results } = await judge({})
  console.log(
    JSON.stringify(
      Object.values(results).map(({ exchanges, durationMs, ...r }) => r),
      null,
      1,
    ),
  )
})
