import {
  checkSettings,
  Inconclusive,
  inconclusiveResponse,
  Skip,
  skip,
  skipExplained,
  skipWithoutControl,
} from '../../../lib/conformance/check-errors.ts'
import { note } from '../../../lib/conformance/check-scope.ts'
import { contrast, isSuccess, requireStatus } from '../../../lib/conformance/contrast.ts'
import { displayValue } from '../../../lib/conformance/describe-exchange.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { judgeCases } from '../../../lib/conformance/judge-cases.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { RepositoryPage } from '../client.ts'
import { expect } from '../matchers.ts'
import type { RequirementId } from '../requirements.ts'
import { scopesExcept, type TokenScope } from '../tokens/scopes.ts'
import { rejectsCredentials } from '../tokens/tokens.ts'
import { statusOfChange } from './access.ts'
import { type Account, type Case, categoriesOf, isChange, isLacking, isPublicOnly } from './case.ts'
import { accounts, describeCase } from './describe-case.ts'
import type { ScopeRejection } from './endpoints.ts'
import { loginIn } from './exchange-filters.ts'
import { type CaseSender, type JudgedCase, tableCases, unlessSkipped } from './judged-cases.ts'
import type { CaseRequestParts } from './requests.ts'

const needsListOf = ({ resource, actor, sudo, after }: Case) =>
  resource === 'repositories' && (sudo !== undefined || actor !== 'main' || after !== undefined)

const isActing = ({ actor, sudo }: Case) => actor === 'admin' && sudo !== undefined

function expectRejection(
  { one, access: { rejected = 'any' } }: JudgedCase,
  response: Exchange,
): void {
  if (rejected !== 'any') {
    expect(response).toHaveStatus(...rejected)
    return
  }
  expect(response).toBeRejected()
  if (isChange(one)) {
    const { status } = response
    const isOfAccess = ![409, 423].includes(status)
    expect(response).toShow(isOfAccess, 'a rejection of the credentials', `status ${status}`, {
      status: true,
    })
  }
  if (response.status >= 500) {
    inconclusiveResponse('a server error does not show a rejection', response)
  }
}

/** Returns true if a request was permitted, although a change is then rejected for another reason. */
const isPermitted = ({ resource }: Case, response: Exchange) =>
  isSuccess(response) || response.status === statusOfChange[resource]

function expectControl(one: Case, control: Exchange | undefined): void {
  if (control && !isPermitted(one, control)) skipWithoutControl(undefined, control)
}

/** Returns the name of the connection of a sequence, which its first case determines. */
const connectionOf = (one: Case): string =>
  one.after === undefined ? `sequence of ${describeCase(one)}` : connectionOf(one.after)

interface AccessParts extends Pick<CaseRequestParts, 'target'> {
  accounts: Pick<CaseRequestParts['accounts'], 'sudo' | 'requireRegular'>
  tokens: Pick<CaseRequestParts['tokens'], 'mainCredentials'>
  repositories: Pick<CaseRequestParts['repositories'], 'retryWhileChanging'>
}

/** Compares the access of cases with the access that the document states. */
export class AccessChecks {
  readonly #parts: AccessParts
  readonly #requests: CaseSender

  constructor(parts: AccessParts, requests: CaseSender) {
    this.#parts = parts
    this.#requests = requests
  }

  readonly #cases = fixture('access table', async () => {
    const { settings, username, other } = this.#parts.target
    return tableCases({ settings, username, other })
  })

  async #cellsOf(requirement: RequirementId): Promise<JudgedCase[]> {
    return (await this.#cases()).filter(({ access }) => access.requirement === requirement)
  }

  readonly #sequences = new Map<Case, () => Promise<Exchange>>()

  /** Sends the request of a case; after another one, both are sent again, on the same connection. */
  async send(one: Case): Promise<Exchange> {
    // Before the token was deleted, the same request succeeded.
    const fresh = one.problem === 'deleted'
    return one.after === undefined ? this.#sendOnce(one, { fresh }) : this.#sendInSequence(one)
  }

  async #sendOnce(...request: Parameters<CaseSender['send']>): Promise<Exchange> {
    const exchange = await this.#requests.send(...request)
    exchange.request.cases?.add(describeCase(request[0]))
    return exchange
  }

  #sendInSequence(one: Case): Promise<Exchange> {
    const send = async () => {
      if (one.after) await this.#sendInSequence(one.after)
      return this.#sendOnce(one, { fresh: true, connection: connectionOf(one) })
    }
    const sent = this.#sequences.get(one) ?? fixture(`sequence ${describeCase(one)}`, send)
    this.#sequences.set(one, sent)
    return sent()
  }

  async judge(requirement: RequirementId): Promise<void> {
    await judgeCases(await this.#cellsOf(requirement), (judged) => this.#judge(judged))
  }

  /** Returns the settings records that the clients of the table read. */
  async settingsRecords(): Promise<Exchange[]> {
    const reads = (await this.#cases()).filter(({ one }) => one.resource === 'settings')
    const outcomes = await Promise.allSettled(reads.map(({ one }) => this.send(one)))
    const records = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []))
    return records.filter(({ status }) => status === 200)
  }

  /** Returns the rejections of tokens that lack a scope, if a token with all scopes succeeds. */
  async scopeRejections(): Promise<ScopeRejection[]> {
    const lacking = (await this.#cases()).filter(({ one }) => isLacking(one))
    return lacking.map(({ one, access: { control = one }, name }) => {
      const { resource, scopes: granted } = one
      const scopes = isChange(one)
        ? scopesExcept().filter((scope) => scope.startsWith('write:'))
        : categoriesOf(resource).map((category): TokenScope => `read:${category}`)
      const respond = async () => {
        const [response, controlled] = await allOrWorst([
          this.send(one),
          this.#sendControl(control),
        ])
        expectControl(control, controlled)
        return response
      }
      return { name, resource, scopes, granted, respond }
    })
  }

  /** Judges the messages of the rejections of a requirement, with controls if they are possible. */
  async judgeMessages(requirement: RequirementId): Promise<void> {
    const judged = (await this.#cellsOf(requirement)).filter(({ access }) => access.messages)
    await judgeCases(judged, async ({ one, access: { messages = [], control = one } }) => {
      const [rejection, controlled] = await allOrWorst([
        requireStatus(401, this.send(one)),
        unlessSkipped(this.#sendControl(control)),
      ])
      if (!(controlled instanceof Skip)) expectControl(control, controlled)
      expect(rejection).toHaveMessage(...messages)
    })
  }

  async #judge(judged: JudgedCase): Promise<void> {
    const { one, access } = judged
    const { as, rejected, control = one } = access
    if (isActing(one)) await this.#parts.accounts.sudo()
    // Without a regular user, a request without credentials shows nothing.
    else if (one.sudo) {
      await this.#parts.accounts.requireRegular(one.actor === 'other' ? 'other' : 'main')
    }
    if (rejected === undefined) return this.#judgeSuccess(judged)
    if (as) {
      const response = await this.send(one)
      if (isSuccess(response)) {
        if (needsListOf(one)) return this.#expectListOf(as, judged)
        return this.#expectRecordOf(as, judged, response)
      }
    }
    await contrast({
      control: () => this.#sendControl(control),
      isPermitted: (response) => isPermitted(control, response),
      negative: () => this.#sendRejected(judged),
      assertRejection: (response) => expectRejection(judged, response),
    })
  }

  async #judgeSuccess(judged: JudgedCase): Promise<void> {
    const { one, access } = judged
    const { as, control = one, status = 200 } = access
    // The account may be configured wrongly.
    if (one.sudo && as) {
      await (as === 'main' ? this.#parts.tokens.mainCredentials() : this.#requests.accountOf(as))
    }
    const sendControl = async () => access.control && (await this.send(access.control))
    if (as && needsListOf(one)) {
      expectControl(control, await sendControl())
      return this.#expectListOf(as, judged).catch(async (error: unknown) => {
        // The list cannot be read; a single request is judged by its status.
        if (!(error instanceof Inconclusive) || isActing(one)) throw error
        expect(await this.send(one)).toHaveStatus(200)
        throw new Skip(error.reason)
      })
    }
    const [response, controlled] = await allOrWorst([this.send(one), sendControl()])
    expectControl(control, controlled)
    // A change shows nobody's name.
    if (isChange(one) && one.sudo && controlled && !this.#isOf(one.sudo.as, controlled)) {
      skipWithoutControl(`the request is not performed as ${accounts[one.sudo.as]}`, controlled)
    }
    if (!controlled && response.status === 404 && one.resource === 'public repository') {
      skip('the repository does not exist')
    }
    const isBearer = access.requirement === 'code-hosting/authentication/bearer'
    if (isBearer && response.status === 403) {
      skip('the token authenticates, but lacks a scope')
    }
    if (one.sentAs.startsWith('?') && response.status === 401) {
      const server = 'A server with DISABLE_QUERY_AUTH_TOKEN=true returns 401'
      note(`${server}: set CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true for it.`)
    }
    // The document does not say what a site administrator may change.
    const isOfOwner = one.actor !== 'admin' || one.sudo !== undefined
    if (isChange(one) && !isOfOwner && [403, 404].includes(response.status)) {
      skip('a site administrator may not make the change')
    }
    this.#requirePassword(one, response)
    if (status === 204 && ![204, 401].includes(response.status)) {
      skip(`CODE_HOSTING_NO_CONTENT may succeed once, and repeated it returned ${response.status}`)
    }
    expect(response).toHaveStatus(status)
    // The requirement code-hosting/tokens/authenticates judges the user of a token.
    const isOfToken = isBearer && !controlled
    if (as && one.resource === 'user' && !isOfToken) {
      this.#expectRecordOf(as, judged, response, controlled)
    }
  }

  /** Sends a control. A change that the operator supplied wrongly has a requirement of its own. */
  #sendControl(one: Case): Promise<Exchange> {
    return this.send(one).catch((error: unknown) => {
      throw isChange(one) && error instanceof Inconclusive ? new Skip(error.reason) : error
    })
  }

  #isOf(user: Account | 'unknown', response: Exchange): boolean {
    return loginIn(response)?.toLowerCase() === this.#requests.loginOf(user).toLowerCase()
  }

  /** @throws Inconclusive if the password of another account may be configured wrongly */
  #requirePassword({ actor, sentAs, sudo }: Case, response: Exchange): void {
    if (actor === 'main' || sentAs !== 'Basic' || sudo || !rejectsCredentials(response)) return
    const account = actor.toUpperCase()
    const variables = ['USERNAME', 'PASSWORD'].map((part) => `CODE_HOSTING_${account}_${part}`)
    checkSettings(variables, undefined, response)
  }

  /** @throws Skip for a response that another requirement explains */
  async #sendRejected({ one, access }: JudgedCase): Promise<Exchange> {
    const { rejected = 'any', explanations = [] } = access
    const isExpected = (response: Exchange) =>
      rejected === 'any' ? !isSuccess(response) : rejected.includes(response.status)
    const response = await this.send(one)
    const { status } = response
    for (const simpler of isExpected(response) ? [] : explanations) {
      const other = await unlessSkipped(this.send(simpler))
      if (!(other instanceof Skip) && other.status === status) {
        skipExplained(`${describeCase(simpler)} gets status ${status} too`)
      }
    }
    return response
  }

  /** Expects the list of a user. Reads it again if it changed. */
  async #expectListOf(user: Account, judged: JudgedCase): Promise<void> {
    const credentials =
      user === 'main' ? undefined : (await this.#requests.accountOf(user)).credentials
    let isAgain = false
    await this.#parts.repositories.retryWhileChanging(async (list) => {
      const all = await list.readAll()
      const { one } = judged
      const sent = isAgain ? this.#sendOnce(one, { fresh: true }) : this.send(one)
      const page = (await sent) as RepositoryPage
      isAgain = true
      list.inspectedPages.add(page)
      expect(page).toHaveStatus(200)
      const allNames = new Set(all.names)
      const isKnown = page.names?.every((name) => allNames.has(name))
      // Any number of the items may be public.
      if (isPublicOnly(one) && isKnown) return
      expect(page).toHoldItemsOf(isKnown ? all.names : await list.names())
    }, credentials)
  }

  /** Fails for a record of another user; with sudo by an administrator, for a record of none too. */
  #expectRecordOf(
    user: Account,
    { one }: JudgedCase,
    response: Exchange,
    control?: Exchange,
  ): void {
    if (user === 'main' && this.#parts.target.username === undefined && !isActing(one)) return
    const login = loginIn(response)
    // If the control shows the same login, code-hosting/resources/user fails instead.
    const isExplained =
      !isActing(one) && (login === undefined || (control && login === loginIn(control)))
    const expected = this.#requests.loginOf(user)
    expect(response).toShow(
      isExplained || login?.toLowerCase() === expected.toLowerCase(),
      `login "${expected}"`,
      `login ${displayValue(response, login)}`,
      { pointer: '/login' },
    )
  }
}
