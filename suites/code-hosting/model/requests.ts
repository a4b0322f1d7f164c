import { randomBytes } from 'node:crypto'
import { checkSettings, skip, skipUnobserved } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixtureFor } from '../../../lib/conformance/fixture.ts'
import {
  MIN_SECRET_CHARS,
  type NearMiss,
  nearMisses,
} from '../../../lib/conformance/near-misses.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import { retryLostResponse } from '../../../lib/conformance/retry-lost-responses.ts'
import {
  anonymous,
  authorization,
  basic,
  type Credentials,
  proxyFields,
  queryToken,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Accounts, KnownAccount } from '../accounts/accounts.ts'
import type { Repositories } from '../accounts/repositories.ts'
import type { CallOptions, CodeHostingClient } from '../client.ts'
import { codeHostingNeeds, skipUnmetNeed } from '../needs.ts'
import type { NoContentRequests } from '../supplied-reads.ts'
import type { Creations } from '../tokens/token-requests.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { expectedAccess } from './access.ts'
import {
  type Account,
  type Case,
  type CredentialProblem,
  isChange,
  isInBasic,
  type Resource,
} from './case.ts'
import { accounts, describeCase } from './describe-case.ts'

/** Changes that the operator supplies. */
const suppliedChanges = {
  'archived change': { place: 'archivedChange', need: 'archived repository change' },
  'conflicting change': { place: 'conflict', need: 'conflicting request' },
  'no-content change': { place: 'noContent', need: 'no-content request' },
} as const

export interface CaseRequestParts {
  run: Run
  target: CodeHostingTarget
  codeHosting: CodeHostingClient
  accounts: Accounts
  tokens: Tokens
  creations: Creations
  repositories: Repositories
  supplied: NoContentRequests
}

/** Token that is shorter than servers issue. */
const SHORT_TOKEN = 'abc'

/** Returns a near miss of a secret; `undefined` if it would be the same or reveal too much. */
export function nearMissOf(secret: string, problem: CredentialProblem): string | undefined {
  if (secret.length < MIN_SECRET_CHARS) return undefined
  const nearMiss = nearMisses[problem as NearMiss]?.(secret)
  return nearMiss === secret ? undefined : nearMiss
}

/** Returns a near miss of a secret and its name in reports. @throws Skip if there is none */
function createNearMiss(variable: string, secret: string, problem: CredentialProblem) {
  const value = nearMissOf(secret, problem) ?? skip(`${variable} has no variant with "${problem}"`)
  return { value, name: `WRONG_${variable}_${problem}`.toUpperCase().replaceAll(' ', '_') }
}

/** Sends the requests of cases. Reports hide wrong secrets too. */
export class CaseRequests {
  readonly #parts: CaseRequestParts
  readonly #inventedToken = randomBytes(20).toString('hex')
  readonly #unknownUser: string

  constructor(parts: CaseRequestParts) {
    this.#parts = parts
    const { redactor, settings } = parts.run
    redactor.add('UNKNOWN_TOKEN', this.#inventedToken)
    this.#unknownUser = `plumbline-${settings.runId}-nobody`
  }

  async accountOf(account: Account): Promise<KnownAccount> {
    const { accounts, tokens } = this.#parts
    if (account !== 'main') return accounts[account]()
    await tokens.passwordAccepted()
    return accounts.main()
  }

  loginOf(account: Account | 'unknown'): string {
    if (account === 'unknown') return this.#unknownUser
    if (account === 'main') return this.#parts.accounts.username()
    const need = account === 'other' ? 'other account' : 'site administrator'
    return (this.#parts.target[account] ?? skipUnmetNeed(need)).username
  }

  /** @param again `fresh`: sends it again; `connection`: on this one */
  async send(one: Case, again: Pick<CallOptions, 'connection' | 'fresh'> = {}): Promise<Exchange> {
    const { resource } = one
    const { codeHosting, target } = this.#parts
    if (resource.startsWith('tokens')) return this.#requestToken(one)
    if (isChange(one)) return this.#requestChange(describeCase(one), one, again)
    // Without the repository, no token is created.
    const name = await this.#repositoryName(resource)
    const options: CallOptions = {
      ...again,
      ...(await this.optionsOf(one)),
      // Pages of the list have parameters.
      ...(one.isTokenFirst !== undefined && resource !== 'repositories' && { query: { page: 1 } }),
    }
    if (name !== undefined) return codeHosting.repository(name, options)
    if (resource === 'settings') return codeHosting.settings(options)
    if (resource === 'user') return codeHosting.user(options)
    return codeHosting.repositories({ limit: target.settings.maxResponseItems, page: 1 }, options)
  }

  /** Returns the credentials of a case, and the user that it names with sudo. */
  async optionsOf(one: Case): Promise<Pick<CallOptions, 'credentials' | 'headers' | 'sudo'>> {
    const { sudo, isOfBrowser, isProxied } = one
    const { baseUrl, username = 'admin' } = this.#parts.target
    const { origin } = new URL(baseUrl)
    return {
      credentials: await this.#credentialsOf(one),
      ...(sudo && { sudo: { as: this.loginOf(sudo.as), in: sudo.in } }),
      ...(isOfBrowser && { headers: { Origin: origin, 'Accept-Encoding': 'gzip' } }),
      ...(isProxied && { headers: proxyFields(username) }),
    }
  }

  #repositoryName(resource: Resource): string | Promise<string> | undefined {
    const { repositories } = this.#parts
    if (resource === 'public repository') return repositories.publicName()
    if (resource === 'private repository') return repositories.readablePrivateName()
    if (resource === 'private repository in other letters') return this.#inOtherLetters()
    if (resource === 'missing repository') return repositories.missingName()
    if (resource.includes('long name')) return repositories.longMissingName()
    return resource.includes('missing') ? repositories.nameOfMissingOwner() : undefined
  }

  /** Returns the name of the private repository in the other letter case. @throws Skip without letters */
  async #inOtherLetters(): Promise<string> {
    const name = await this.#parts.repositories.readablePrivateName()
    const other = nearMisses['other case'](name)
    return other === name ? skip(`${name} has no letters`) : other
  }

  /** Sends the request once, or again if it is fresh. @throws Inconclusive if the server may not have its path */
  #requestChange(id: string, one: Case, again: Pick<CallOptions, 'connection' | 'fresh'>) {
    const send = () => this.#sendChange(one, again)
    return again.fresh ? send() : this.#changes(id, send)
  }

  readonly #changes = fixtureFor('change', (_id: string, send: () => Promise<Exchange>) => send())

  async #sendChange(
    one: Case,
    again: Pick<CallOptions, 'connection' | 'fresh'>,
  ): Promise<Exchange> {
    const { codeHosting, run, target } = this.#parts
    const { place, need } = suppliedChanges[one.resource as keyof typeof suppliedChanges]
    const request = target[place] ?? skipUnmetNeed(need)
    const isPermitted = expectedAccess(one, target.settings)?.rejected === undefined
    if (run.settings.target.probe.readOnly) skipUnmetNeed('permitted supplied request')
    if (place === 'noContent') {
      const [variable] = codeHostingNeeds[need].variables
      if (request.method === 'GET') skip(`${variable} is a GET, which may need no token`)
      // The request of the operator may succeed once.
      const first = await this.#parts.supplied.noContent().catch(() => undefined)
      if (first?.status !== 204) skip(`${variable} does not succeed with status 204`)
    }
    const options = { ...again, ...(await this.optionsOf(one)) }
    const exchange = await retryLostResponse(run, () => codeHosting.undocumented(request, options))
    const isAbsent = exchange.status === 404 || exchange.status === 405
    if (!isAbsent || !isPermitted || place === 'noContent') return exchange
    const plain: Case = { resource: one.resource, actor: 'main', sentAs: 'Bearer', scopes: ['all'] }
    if (describeCase(one) !== describeCase(plain)) {
      await this.send(plain)
      return exchange
    }
    // A repository that can be read exists, so that the path does too.
    const [, name] = /^\/api\/v1\/repos\/([^/?]+\/[^/?]+)/.exec(request.path) ?? []
    if (exchange.status === 404 && name !== undefined && place === 'archivedChange') {
      const { credentials } = await this.optionsOf(plain)
      const repository = await codeHosting.repository(decodeURIComponent(name), { credentials })
      if (repository.status === 200) return exchange
    }
    return checkSettings(codeHostingNeeds[need].variables.slice(0, 1), undefined, exchange)
  }

  /** @throws Skip if two accounts of the configuration are one user */
  #requireOther(account: Account, other: Account): void {
    if (account === other) return
    const login = this.loginOf(account)
    if (login.toLowerCase() !== this.loginOf(other).toLowerCase()) return
    skip(`${accounts[account]} and ${accounts[other]} are the same user, ${login}`)
  }

  async #requestToken(one: Case): Promise<Exchange> {
    const { resource, actor, sentAs, scopes, problem } = one
    const { creations } = this.#parts
    const owner = resource === 'tokens of the other account' ? 'other' : 'main'
    if (sentAs === 'Basic' && actor === owner && problem === undefined) {
      return owner === 'main' ? creations.accepted() : creations.byOtherWithSameName()
    }
    if (actor !== 'anonymous') this.#requireOther(actor, owner)
    const parts = actor === 'anonymous' ? [actor] : [actor, sentAs, problem ?? 'right']
    if (scopes.join() !== 'all') parts.push('narrow')
    const label = parts
      .join('-')
      .toLowerCase()
      .replace('?', 'query-')
      .replaceAll(/[^a-z-]+/g, '')
    const [account, credentials] = await allOrWorst([
      this.accountOf(owner),
      this.#credentialsOf(one),
    ])
    return creations.presenting(label, account, credentials)
  }

  async #credentialsOf(one: Case): Promise<Credentials> {
    const { actor, sentAs, problem } = one
    if (actor === 'anonymous') return anonymous
    if (sentAs === 'any valid' && actor === 'main') return this.#parts.tokens.mainCredentials()
    if (sentAs === 'any valid') return (await this.accountOf(actor)).credentials
    const isQuery = sentAs.startsWith('?')
    if (problem === 'nothing' && !isQuery) return { kind: 'authorization', value: sentAs }
    if (problem === 'without a colon') {
      return { kind: 'authorization', value: `Basic ${btoa(this.#unknownUser)}` }
    }
    if (sentAs === 'Basic') return this.#passwordOf(one)
    if (isInBasic(one)) return this.#tokenInBasic(one)
    const token = await this.#tokenOf(one)
    if (isQuery) return queryToken(sentAs.slice(1, -1), token, one.isTokenFirst === true)
    return authorization(problem === 'unknown scheme' ? 'Plumbline' : sentAs, token)
  }

  /** Returns credentials with another secret, whose name reports show. */
  async #basicOf(account: Account, name: string, secret: string): Promise<Credentials> {
    const { username } = await this.accountOf(account)
    this.#parts.run.redactor.addBasic(username, name, secret)
    return basic(username, secret)
  }

  /** Returns basic credentials of which a token is the name or the password, perhaps of another user. */
  async #tokenInBasic(one: Case): Promise<Credentials> {
    const { sentAs, problem } = one
    const token = await this.#validTokenOf(one)
    const { redactor } = this.#parts.run
    if (sentAs === 'username') {
      const credentials = basic(token, 'x-oauth-basic')
      redactor.add('TOKEN_AS_USERNAME', credentials.value.replace(/^Basic |=+$/g, ''))
      return credentials
    }
    const owner = one.actor as Account
    const another = this.#parts.target.other ? 'other' : 'admin'
    const named = problem === 'of another account' ? another : owner
    this.#requireOther(named, owner)
    const username = this.loginOf(problem === 'unknown user' ? 'unknown' : named)
    redactor.addBasic(username, 'TOKEN_AS_PASSWORD', token)
    return basic(username, token)
  }

  async #passwordOf({ actor, problem }: Case): Promise<Credentials> {
    const { accounts, target } = this.#parts
    if (problem === undefined) return (await this.accountOf(actor as Account)).credentials
    if (problem === 'unknown user') return basic(this.#unknownUser, this.#inventedToken)
    if (problem === 'invented') return accounts.mainWithWrongPassword()
    const account = actor as Account
    const { password, other, admin } = target
    const passwords = { main: password, other: other?.password, admin: admin?.password }
    const { username } = await this.accountOf(account)
    if (problem === 'empty') return basic(username, '')
    if (problem === 'of another account') {
      const another = passwords[account === 'other' ? 'main' : 'other']
      if (another === undefined || another === passwords[account])
        skip('needs two accounts with two passwords')
      return this.#basicOf(account, 'PASSWORD_OF_ANOTHER_ACCOUNT', another)
    }
    const prefix = account === 'main' ? '' : `${account.toUpperCase()}_`
    const variable = `CODE_HOSTING_${prefix}PASSWORD`
    const { name, value } = createNearMiss(variable, passwords[account] ?? '', problem)
    return this.#basicOf(account, name, value)
  }

  async #tokenOf(one: Case): Promise<string> {
    const { problem } = one
    if (problem === 'nothing') return ''
    if (problem === 'invented') return this.#inventedToken
    if (problem === 'invented and short') return SHORT_TOKEN
    if (problem === 'deleted') return this.#parts.tokens.deleted()
    const token = await this.#validTokenOf(one)
    if (problem === undefined || problem === 'unknown scheme') return token
    const { name, value } = createNearMiss('TOKEN', token, problem)
    // The last eight characters are not secret: reads show them.
    if (problem !== 'last eight') this.#parts.run.redactor.add(name, value)
    return value
  }

  async #validTokenOf({ actor, scopes }: Case): Promise<string> {
    const { creations, tokens } = this.#parts
    if (actor === 'other') return creations.tokenOfOther()
    if (actor === 'admin') return tokens.ofAdmin(...scopes)
    if (scopes.every((scope) => scope === 'public-only') || scopes.includes('write:admin')) {
      // The document does not say that a token which grants nothing, or more than its user may do, can be created.
      const { status } = await tokens.creation(...scopes)
      if ([400, 403, 422].includes(status)) {
        skipUnobserved(`the server rejects the creation of such a token with ${status}`)
      }
    }
    return scopes.join() === 'all' ? tokens.all() : tokens.with(...scopes)
  }
}
