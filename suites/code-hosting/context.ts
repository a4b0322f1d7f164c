/** State that the requirements of code hosting share in a run; it sends cases, and the requests of the operator. */
import { randomBytes } from 'node:crypto'
import { requireNeeds } from '../../lib/conformance/catalogue.ts'
import {
  checkSettings,
  Inconclusive,
  skip,
  skipUnobserved,
} from '../../lib/conformance/check-errors.ts'
import { fixture, fixtureFor } from '../../lib/conformance/check-scope.ts'
import { requireControl } from '../../lib/conformance/controls.ts'
import { allOrWorst, type CaseSender } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { type NearMiss, nearMissOf } from '../../lib/conformance/near-misses.ts'
import { demandingGateway, failUnreachable } from '../../lib/conformance/preflight.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import type { SuiteObservation, SuiteRequirement } from '../../lib/conformance/requirements.ts'
import { retryLostResponse, untilAccepted } from '../../lib/conformance/retry-lost-responses.ts'
import {
  anonymous,
  authorization,
  basic,
  bearer,
  type Credentials,
  proxyFields,
  queryToken,
} from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { serviceIn } from '../service.ts'
import {
  type Accounts,
  createAccounts,
  createRepositories,
  type KnownAccount,
  type Repositories,
} from './accounts.ts'
import {
  type CallOptions,
  CodeHostingClient,
  codeHostingEndpoints,
  isRecordOf,
  type PageQuery,
  TOKEN_PRIORITY,
} from './client.ts'
import {
  type Account,
  type Case,
  caseOf,
  idOf,
  isChange,
  isCreation,
  isGrantedList,
  isOfList,
  isOtherFirst,
  isQuery,
  type ResourceRow,
  rowOf,
  scopeSets,
  type TokenScope,
  UNRELATED_SCOPE,
  userOf,
} from './levels.ts'
import { Lists, numberIn, ownerOf, queryOf, tokenPages } from './lists.ts'
import { tokenValue } from './matchers.ts'
import {
  type Creations,
  createCreations,
  createTokenCreation,
  createTokens,
  type TokenCreation,
  type Tokens,
} from './tokens.ts'
import {
  type CodeHostingSettings,
  type CodeHostingTarget,
  codeHostingNeeds,
  recordFields,
  type SuppliedPlace,
  type SuppliedRequest,
  skipUnmetNeed,
  variableAt,
} from './variables.ts'

export type CodeHostingRequirement = SuiteRequirement<Case, CodeHostingSettings, CodeHostingContext>
/** Parts that several requirements share. */
export type RequirementParts = Partial<Omit<CodeHostingRequirement, 'statement'>>
export type CodeHostingObservation = SuiteObservation<CodeHostingContext>

/** Requirements by name; most are of one section of the document, which `index.ts` names. */
export type CodeHostingRequirements = Record<
  string,
  Omit<CodeHostingRequirement, 'section'> & { section?: string }
>

/** Parts that send requests. */
interface Parts {
  run: Run
  target: CodeHostingTarget
  /** The settings of the server, as its record has the page sizes. */
  readonly settings: CodeHostingSettings
  /** The settings that the operator expects. */
  readonly configured: Readonly<CodeHostingSettings>
  codeHosting: CodeHostingClient
  accounts: Accounts
  tokenCreation: TokenCreation
  tokens: Tokens
  creations: Creations
  lists: Lists
  repositories: Repositories
  suppliedReads: SuppliedReads
}

export interface CodeHostingContext extends Parts {
  /** Sends the requests of cases. */
  readonly sender: Requests
}

export function createCodeHostingContext(run: Run): CodeHostingContext {
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
  const lists = new Lists({
    ...{ client: codeHosting, settings, maxPages: run.settings.target.probe.maxPages },
    optionsOf: (one) => sender.optionsOf(one),
  })
  const repositories = createRepositories(run, target, codeHosting, () => lists.list('main'))
  const creations = createCreations(run, codeHosting, accounts, tokenCreation, tokens)
  const suppliedReads = createSuppliedReads(run, target, codeHosting, accounts, tokens)
  const parts = {
    ...{ run, target, settings, configured: configured.settings, codeHosting, accounts },
    ...{ tokenCreation, tokens, creations, lists, repositories, suppliedReads },
  }
  const sender: Requests = new Requests(parts)
  return { ...parts, sender }
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
  for (const field of ['default_paging_num', 'max_response_items'] as const) {
    const name = recordFields[field]
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

/** The request of the site administrator that others must not send. */
const adminRead = caseOf({
  ...{ resource: 'admin request', actor: 'admin', sentAs: 'Bearer', scopes: 'admin' },
})

type Again = Pick<CallOptions, 'connection' | 'fresh'> | false

/** Token that is shorter than servers issue. */
const SHORT_TOKEN = 'abc'

/** Sends the requests of cases. Reports hide wrong secrets too. */
export class Requests implements CaseSender<Case> {
  readonly #parts: Parts
  readonly #inventedToken = randomBytes(20).toString('hex')
  readonly #unknownUser: string

  constructor(parts: Parts) {
    this.#parts = parts
    const { run } = parts
    run.redactor.add('UNKNOWN_TOKEN', this.#inventedToken)
    this.#unknownUser = `plumbline-${run.settings.runId}-nobody`
  }

  async send(one: Case): Promise<Exchange> {
    await this.#requireActors(one)
    if (isGrantedList(one) && one.after === undefined) return this.#sendPage(one)
    return this.#sendShared(idOf(one), one)
  }

  readonly #sendShared = fixtureFor('case', (_id: string, one: Case) => this.#sendOnce(one))

  async isServed(one: Case, response: Exchange): Promise<boolean> {
    const { status } = rowOf(one)
    if (status !== undefined && response.status === status) return true
    if (!isSuccess(response)) return false
    if (one.resource === 'user' && one.sudo) {
      const user = userOf(one)
      return user !== 'anonymous' && isRecordOf(response, this.loginOf(user))
    }
    if (!isGrantedList(one)) return true
    const compared = await this.#parts.lists.compare(one).catch(() => undefined)
    // Other requirements judge the number of items of a first page.
    if (compared === undefined) return true
    if (one.page === '1') return compared.isOfList
    return isOtherFirst(one) ? compared.isStart : compared.isMatching
  }

  /** @throws Skip unless a request is served */
  requireServed(control: Case): Promise<void> {
    const isServed = (response: Exchange) => this.isServed(control, response)
    return requireControl(() => this.send(control), isServed)
  }

  /** Judges a page again if its list changed meanwhile. */
  retry<T>(one: Case, judge: () => Promise<T>): Promise<T> {
    const { lists } = this.#parts
    const { resource, actor, sudo, after } = one
    // A server that ignores sudo shows the list of the sender.
    const isOfSender = resource === 'repositories' && sudo && ['main', 'other'].includes(actor)
    if (!isOfSender && !isGrantedList(one)) return judge()
    const owner = ownerOf(one)
    return isOfSender || after ? lists.latest(owner, judge) : lists.stable(owner, judge)
  }

  async accountOf(account: Account): Promise<KnownAccount> {
    const { accounts, tokens } = this.#parts
    return account === 'main' ? tokens.main() : accounts[account]()
  }

  loginOf(account: Account | 'unknown'): string {
    if (account === 'unknown') return this.#unknownUser
    if (account === 'main') return this.#parts.accounts.username()
    const need = account === 'other' ? 'other account' : 'site administrator'
    return (this.#parts.target[account] ?? skipUnmetNeed(need)).username
  }

  /** Returns the credentials of a case, and the other parts of its request. */
  async optionsOf(
    one: Case,
  ): Promise<Pick<CallOptions, 'headers' | 'sudo'> & { credentials: Credentials }> {
    const { sudo, form } = one
    const { origin } = new URL(this.#parts.target.baseUrl)
    return {
      credentials: await this.#credentialsOf(one),
      ...(sudo && { sudo: { as: this.loginOf(sudo.as), in: sudo.in } }),
      ...(form === 'browser' && { headers: { Origin: origin, 'Accept-Encoding': 'gzip' } }),
      ...(form === 'any media type' && { headers: { Accept: '*/*' } }),
      ...(form === 'proxy' && { headers: proxyFields(this.loginOf('main')) }),
    }
  }

  async #requireActors(one: Case): Promise<void> {
    const { accounts, tokens } = this.#parts
    const { actor, resource, sudo } = one
    const user = userOf(one)
    if (resource === 'admin request' && (user === 'main' || user === 'other'))
      await accounts.requireRegular(user)
    // The named account may be configured wrongly.
    if (sudo?.as === 'main' && actor !== 'anonymous') await tokens.mainCredentials()
    if (sudo?.as === 'other') await this.accountOf('other')
    if (sudo === undefined) return
    if (actor === 'admin') await accounts.sudo()
    else await accounts.requireRegular(actor === 'other' ? 'other' : 'main')
  }

  /** Sends the request for a page, even if nothing is known about the list. */
  async #sendPage(one: Case): Promise<Exchange> {
    const [compared] = await Promise.allSettled([this.#parts.lists.compare(one)])
    if (compared.status === 'fulfilled') return compared.value.page
    const { codeHosting, settings } = this.#parts
    if (isOfList(one)) throw compared.reason
    const options = await this.optionsOf(one)
    return this.#noted(one, await codeHosting.repositories(queryOf(one, settings), options))
  }

  #noted(one: Case, exchange: Exchange): Exchange {
    exchange.request.cases?.add(idOf(one))
    return exchange
  }

  async #sendOnce(one: Case): Promise<Exchange> {
    const { after, problem } = one
    // Before the token was deleted, the same request succeeded.
    if (after === undefined)
      return this.#noted(one, await this.#request(one, problem === 'deleted' && { fresh: true }))
    await (after.after ? this.send(after) : this.#sendFirst(connectionOf(one), after))
    return this.#noted(one, await this.#sendAgain(connectionOf(one), one))
  }

  readonly #sendAgain = (connection: string, one: Case) =>
    this.#request(one, { fresh: true, connection })

  /** Sends the first request of a sequence again, on the connection of the others. */
  readonly #sendFirst = fixtureFor('first of', this.#sendAgain)

  /** @param again `fresh`: sends it again; `connection`: on this one */
  async #request(one: Case, again: Again): Promise<Exchange> {
    const { resource, form } = one
    const { codeHosting, repositories, settings } = this.#parts
    const { name: nameOf, supplied } = rowOf(one)
    if (isCreation(one)) return this.#requestToken(one)
    if (supplied) return this.#requestSupplied(one, supplied, again)
    // Without the repository, no token is created.
    const name = nameOf && (await repositories[nameOf]())
    const options: CallOptions = { ...again, ...(await this.optionsOf(one)) }
    if (form === 'token first') options.query = { page: 1 }
    if (name !== undefined) return codeHosting.repository(name, options)
    if (resource === 'settings') return codeHosting.settings(options)
    if (resource === 'user') return codeHosting.user(options)
    return codeHosting.repositories(queryOf(one, settings), options)
  }

  /** Sends a request of the operator. Without it, no token is created. */
  async #requestSupplied(
    one: Case,
    { place, need }: NonNullable<ResourceRow['supplied']>,
    again: Again,
  ): Promise<Exchange> {
    const { codeHosting, run, suppliedReads, target } = this.#parts
    const request = target[place]
    if (request === undefined) {
      requireNeeds(codeHostingNeeds, [need], run.settings.target)
      return skip(`${variableAt(place)} is not set`)
    }
    // A server must not return what it sent to the site administrator.
    if (place === 'readAdmin' && one.actor !== 'admin') await this.send(adminRead).catch(() => {})
    if (place === 'readAdmin' && one.sudo) await this.requireServed({ ...one, resource: 'user' })
    if (!isChange(one))
      return codeHosting.undocumented(request, { ...again, ...(await this.optionsOf(one)) })
    if (run.settings.target.probe.readOnly) skipUnmetNeed('permitted supplied request')
    if (place === 'noContent') {
      if (request.method === 'GET') skip(`${variableAt(place)} is a GET, which may need no token`)
      // The request of the operator may succeed once.
      const { status } = await suppliedReads.noContent()
      if (status !== 204) skip(`${variableAt(place)} does not succeed with status 204`)
    }
    const options = { ...again, ...(await this.optionsOf(one)) }
    return retryLostResponse(run, () => codeHosting.undocumented(request, options))
  }

  async #requestToken(one: Case): Promise<Exchange> {
    const { actor, sentAs, problem, sudo, body } = one
    const { creations } = this.#parts
    if (body) return creations.withBody(body)
    if (sentAs === 'Basic' && actor === 'main' && problem === undefined && !sudo)
      return creations.accepted()
    const label = idOf(one)
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '-')
    const [, { credentials, sudo: as }] = await allOrWorst([
      this.accountOf('main'),
      this.optionsOf(one),
    ])
    return creations.presenting(label, credentials, as)
  }

  async #credentialsOf(one: Case): Promise<Credentials> {
    const { actor, sentAs, problem, form } = one
    if (actor === 'anonymous') return anonymous
    if (sentAs === 'any valid' && actor === 'main') return this.#parts.tokens.mainCredentials()
    if (sentAs === 'any valid') return (await this.accountOf(actor)).credentials
    if (problem === 'nothing' && !isQuery(one)) return { kind: 'authorization', value: sentAs }
    if (problem === 'without a colon')
      return { kind: 'authorization', value: `Basic ${btoa(this.#unknownUser)}` }
    if (sentAs === 'Basic') return this.#passwordOf(one)
    const token = await this.#tokenOf(one)
    if (isQuery(one))
      return queryToken(sentAs.slice(1, -1), token, form === 'token first' || undefined)
    if (sentAs === 'username') return this.#basic(token, 'x-oauth-basic', 'TOKEN_AS_USERNAME')
    if (sentAs === 'password') {
      const isUnknown = problem === 'unknown user'
      const account = problem === 'name of another account' ? 'other' : actor
      const username = isUnknown ? this.#unknownUser : (await this.accountOf(account)).username
      return this.#basic(username, token, 'TOKEN_AS_PASSWORD')
    }
    return authorization(problem === 'unknown scheme' ? 'Plumbline' : sentAs, token)
  }

  /** Returns credentials with another secret, whose name reports show. */
  #basic(username: string, secret: string, name: string): Credentials {
    this.#parts.run.redactor.addBasic(username, name, secret)
    return basic(username, secret)
  }

  async #passwordOf({ actor, problem }: Case): Promise<Credentials> {
    const account = actor as Account
    if (problem === undefined) return (await this.accountOf(account)).credentials
    if (problem === 'unknown user') return basic(this.#unknownUser, this.#inventedToken)
    const { username, password } = await this.accountOf(account)
    if (problem === 'empty') return basic(username, '')
    if (problem === 'of another account') {
      const another = await this.accountOf(account === 'other' ? 'main' : 'other')
      if (another.password === password) return skip('needs two accounts with two passwords')
      return this.#basic(username, another.password, 'PASSWORD_OF_ANOTHER_ACCOUNT')
    }
    const prefix = account === 'main' ? '' : `${account.toUpperCase()}_`
    const variable = `CODE_HOSTING_${prefix}PASSWORD`
    const near = nearMissOf(variable, password, problem as NearMiss)
    return this.#basic(username, near.value, `WRONG_${near.name}`)
  }

  async #tokenOf(one: Case): Promise<string> {
    const { problem, sentAs } = one
    if (problem === 'nothing') return ''
    if (problem === 'invented') return this.#inventedToken
    if (problem === 'short') return SHORT_TOKEN
    if (problem === 'deleted') return this.#parts.tokens.deleted()
    const token = await this.#validTokenOf(one)
    if (problem === undefined || problem === 'unknown scheme' || sentAs === 'password') return token
    const { name, value } = nearMissOf('TOKEN', token, problem as NearMiss)
    // The last eight characters are not secret: reads show them.
    if (problem !== 'last eight') this.#parts.run.redactor.add(`WRONG_${name}`, value)
    return value
  }

  async #validTokenOf({ actor, scopes: level }: Case): Promise<string> {
    const { creations, tokens } = this.#parts
    const scopes: readonly TokenScope[] = scopeSets[level]
    if (actor === 'other') return creations.tokenOfOther()
    if (actor === 'admin') return tokenValue(await tokens.creationByAdmin(...scopes))
    // The document does not say that a token without rights can be created, nor a token with scopes of an administrator.
    if (level === 'public-only' || level === 'write and admin') {
      const { status } = await tokens.creation(...scopes)
      if ([400, 403, 422].includes(status))
        skipUnobserved(
          `the server rejects the creation of a token with ${scopes.join(', ')} (status ${status})`,
        )
    }
    return level === 'all' ? tokens.all() : tokens.with(...scopes)
  }
}

const connectionOf = (one: Case): string =>
  one.after === undefined ? `sequence of ${idOf(one)}` : connectionOf(one.after)

type SuppliedReads = ReturnType<typeof createSuppliedReads>

/** The requests that the operator supplies, since the document specifies no path. */
function createSuppliedReads(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  tokens: Tokens,
) {
  /** Returns a request that the needs of the requirement guarantee. */
  const supplied = (place: SuppliedPlace) => target[place] as SuppliedRequest
  const requireSuccess = (exchange: Exchange, place: SuppliedPlace): Exchange =>
    isSuccess(exchange) ? exchange : checkSettings([variableAt(place)], undefined, exchange)

  const sendNoContent = async (repeating: typeof untilAccepted) => {
    const options = { credentials: bearer(await tokens.working()), fresh: true }
    return repeating(run, () => client.undocumented(supplied('noContent'), options))
  }
  const noContent = fixture('no-content request', () => sendNoContent(untilAccepted))

  const readTokens = (options: CallOptions) => {
    const { credentials } = accounts.main()
    return client.undocumented(supplied('tokenList'), { credentials, ...options })
  }
  const readTokenPage = async (query: PageQuery) => readTokens({ query })

  return {
    /** Reads the tokens of the main account. @param isAgain true for another time, after the token with all scopes was used */
    async readTokenList(isAgain = false): Promise<Exchange> {
      // After a token was used, and another one deleted.
      if (isAgain) await Promise.allSettled([tokens.working(), tokens.deleted()])
      // A page may show the newest tokens only, so the list is read before the run creates many.
      const priority = isAgain ? 0 : TOKEN_PRIORITY + 1
      return requireSuccess(await readTokens({ fresh: true, priority }), 'tokenList')
    },

    /** Reads them with other query parameters. */
    readTokenPage,

    /** Reads two pages of them for the requirements about pages, if the operator supplies the request. */
    async readTokenPages(): Promise<void> {
      if (target.tokenList === undefined) return
      // The list has a page before and after the second one.
      const scopes = [['all'], [UNRELATED_SCOPE], scopeSets['read+public-only']] as const
      await Promise.allSettled(scopes.map((some) => tokens.creation(...some)))
      await Promise.allSettled(tokenPages(target.settings).map(readTokenPage))
    },

    /** Reads what exceeds a limit. @throws Inconclusive if the request fails */
    readBeyond: async (place: 'largeTree' | 'largeBlob' | 'largeFiles') =>
      requireSuccess(await client.undocumented(supplied(place)), place),

    /** Sends the request that succeeds with status 204 with the token of the scope `all`, once per run. */
    noContent,

    /** Sends it again. */
    noContentAgain: fixture('no-content request again', async () => {
      await noContent()
      return sendNoContent(retryLostResponse)
    }),
  }
}
