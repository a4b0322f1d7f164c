/** What the requirements of code hosting share in a run. */
import { checkSettings, Inconclusive, skip } from '../../lib/conformance/check-errors.ts'
import { demandingGateway, failUnreachable } from '../../lib/conformance/preflight.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import type { SuiteObservation, SuiteRequirement } from '../../lib/conformance/requirements.ts'
import { anonymous, basic, bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { serviceIn } from '../service.ts'
import { createAccounts, createRepositories } from './accounts.ts'
import {
  type CallOptions,
  CodeHostingClient,
  codeHostingEndpoints,
  type PageQuery,
} from './client.ts'
import type { Case } from './levels.ts'
import { type Lists, numberIn } from './lists.ts'
import { skipUnmetNeed } from './needs.ts'
import { Requests, type SenderParts, type View } from './sender.ts'
import {
  createNoContentRequests,
  createSuppliedReads,
  type SuppliedReads,
} from './supplied-reads.ts'
import { createTokenCreation, type TokenCreation } from './token-creation.ts'
import { createCreations, createTokens, type Tokens } from './tokens.ts'
import type { CodeHostingSettings } from './variables.ts'

export type CodeHostingRequirement = SuiteRequirement<
  Case,
  View,
  CodeHostingSettings,
  CodeHostingContext
>
export type CodeHostingObservation = SuiteObservation<CodeHostingContext>

/** Requirements by name; most are of one section of the document, which `index.ts` names. */
export type CodeHostingRequirements = Record<
  string,
  Omit<CodeHostingRequirement, 'section'> & { section?: string }
>

export interface CodeHostingContext extends SenderParts {
  /** The settings of the server, as its record has the page sizes. */
  readonly settings: CodeHostingSettings
  /** The settings that the operator expects. */
  readonly configured: Readonly<CodeHostingSettings>
  readonly tokenCreation: TokenCreation
  /** Sends the requests of cases. */
  readonly sender: Requests
  readonly lists: Lists
  /** The GET requests that the operator supplies. */
  readonly suppliedReads: SuppliedReads
  /** The documented endpoints that require a token. */
  endpoints(): { name: string; request(options?: CallOptions): Promise<Exchange> }[]
  /** The settings record of the service. */
  settingsRecord(): Promise<Exchange>
  /** The settings record, and the records that other clients read. */
  settingsRecords(): Promise<Exchange[]>
}

/** Reads the settings record, with credentials only if the server requires them. */
async function readSettingsRecord(client: CodeHostingClient): Promise<Exchange> {
  const open = await client.settings({ credentials: anonymous })
  const record = open.status === 200 ? open : await client.settings()
  if (record.status === 200) return record
  const see = 'see code-hosting/settings/readable-by-any-client'
  return skip(`the settings record was not returned (status ${record.status}); ${see}`)
}

/** @param settingsCases requests of all clients for the settings record */
export function createCodeHostingContext(
  run: Run,
  settingsCases: () => readonly Case[],
): CodeHostingContext {
  const configured = serviceIn(run.settings.target, 'codeHosting')
  // The preflight sets page sizes.
  const settings = { ...configured.settings }
  const target = { ...configured, settings }
  const codeHosting = new CodeHostingClient(
    target.baseUrl,
    (request) => run.send('code-hosting', request),
    () => tokens.mainCredentials(),
  )
  const accounts = createAccounts(run, target, codeHosting)
  const tokenCreation = createTokenCreation(run, target, codeHosting)
  const tokens: Tokens = createTokens(target, codeHosting, accounts, tokenCreation)
  const repositories = createRepositories(run, target, codeHosting, async () => {
    return (await sender.lists.list('main')).reading
  })
  const creations = createCreations(run, codeHosting, accounts, tokenCreation, tokens)
  const supplied = createNoContentRequests(run, target, codeHosting, tokens)
  const parts = { run, target, codeHosting, accounts, tokens, creations, repositories, supplied }
  const sender: Requests = new Requests(parts)
  const settingsRecord = () => readSettingsRecord(codeHosting)
  return {
    ...parts,
    settings,
    configured: configured.settings,
    tokenCreation,
    sender,
    lists: sender.lists,
    suppliedReads: createSuppliedReads(target, codeHosting, accounts, tokens),
    endpoints: () => [
      { name: 'GET /user', request: codeHosting.user },
      { name: 'GET /user/repos', request: (options) => codeHosting.repositories({}, options) },
      {
        name: 'GET /repos/{owner}/{repo}',
        request: async (options) =>
          codeHosting.repository(
            target.publicRepository ?? skipUnmetNeed('public repository'),
            options,
          ),
      },
    ],
    settingsRecord,
    async settingsRecords() {
      const reads = settingsCases().map((one) => sender.send(one))
      const outcomes = await Promise.allSettled(reads)
      const records = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []))
      return [await settingsRecord(), ...records.filter(({ status }) => status === 200)]
    },
  }
}

/**
 * Sends the first requests of a run, which checks need anyway.
 *
 * @throws Inconclusive if no code hosting service responds at the base URL
 */
export async function codeHostingPreflight({
  target: { baseUrl, settings, username, password, token, publicRepository },
  codeHosting,
}: Pick<CodeHostingContext, 'target' | 'codeHosting'>): Promise<void> {
  const outcomes = await Promise.allSettled([
    codeHosting.settings({ credentials: anonymous }),
    codeHosting.user({ credentials: anonymous }),
    codeHosting.repositories(
      { limit: settings.maxResponseItems, page: 1 },
      { credentials: anonymous },
    ),
    publicRepository && codeHosting.repository(publicRepository, { credentials: anonymous }),
    username && password && codeHosting.user({ credentials: basic(username, password) }),
    token && codeHosting.user({ credentials: bearer(token) }),
  ])
  const responses = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' && typeof outcome.value === 'object' ? [outcome.value] : [],
  )
  const [first] = responses
  if (first === undefined) {
    const failures = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
    for (const error of failures) if (!(error instanceof Inconclusive)) throw error
    failUnreachable(baseUrl, 'CODE_HOSTING_BASE_URL', failures as [Inconclusive, ...Inconclusive[]])
  }
  const isNeverJson = responses.every(({ json }) => json === undefined)
  if (isNeverJson || responses.every(({ status }) => status === 404)) {
    const { method, url } = first.record.request
    const type = first.headers.get('content-type') ?? 'no media type'
    const location = first.headers.get('location')
    const redirect = location === null ? '' : ` and a redirect to ${location}`
    const problem = `the server at ${baseUrl} does not respond like a code hosting service, which has /api/v1 below this URL`
    const gateway = [400, 401, 403].includes(first.status) ? `, like ${demandingGateway}` : ''
    const actual = `${method} ${url} returned status ${first.status} (${type})${redirect}${gateway}`
    checkSettings(['CODE_HOSTING_BASE_URL'], `${problem}: ${actual}`, first)
  }
  const record = responses.find(({ request }) => request.endpoint === codeHostingEndpoints.settings)
  if (record?.status !== 200) return
  const byPassword = username && password ? basic(username, password) : anonymous
  const credentials = token ? bearer(token) : byPassword
  const read = (query: PageQuery) => codeHosting.repositories(query, { credentials })
  await adoptPageSizes(record, read, settings)
}

/** Sets the page sizes of the server's record, unless its lists have the configured ones. */
async function adoptPageSizes(
  { json }: Exchange,
  read: (query: PageQuery) => Promise<Exchange>,
  settings: CodeHostingSettings,
): Promise<void> {
  const fields: Record<string, unknown> = Object(json)
  for (const [name, field] of [
    ['defaultPagingNum', 'default_paging_num'],
    ['maxResponseItems', 'max_response_items'],
  ] as const) {
    const reported = Number(fields[field])
    const isSize = Number.isInteger(fields[field]) && reported > 0
    if (!isSize || reported === settings[name]) continue
    const query =
      name === 'defaultPagingNum' ? {} : { limit: Math.max(reported, settings[name]) + 1 }
    const page = await read(query).catch(() => undefined)
    if (page === undefined || numberIn(page, 'x-perpage') !== settings[name]) {
      settings[name] = reported
    }
  }
}
