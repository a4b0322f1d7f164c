import { Interrupted } from '../../../lib/conformance/check-errors.ts'
import { CLEAN_UP, createScope, runInScope } from '../../../lib/conformance/check-scope.ts'
import { messageOf } from '../../../lib/conformance/describe-exchange.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import { retryLostResponse } from '../../../lib/conformance/retry-lost-responses.ts'
import { type CreatedResource, UNNAMED } from '../../../lib/ledger/ledger.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { MAX_KEPT_BODY_CHARS } from '../../../lib/probe/recorder.ts'
import type { Redactor } from '../../../lib/probe/redaction/redaction.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import type { KnownAccount } from '../accounts/accounts.ts'
import type { CodeHostingClient, TokenRequest } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { deleteToken, type TokenDeletion } from './token-deletion.ts'

/** Maximum length of a token value that is sent, so that header fields stay small. */
const MAX_SENT_CHARS = 4096
/** Visible ASCII characters, which every server reads alike in a header field. */
const SENDABLE = /^[\x21-\x7e]+$/

/** Maximum number of other texts of one response that are treated as tokens. */
const MAX_CANDIDATES = 16

/** A text that may be a token. Names of tokens match too, but contain the run id. */
const TOKEN_LIKE = /^(?=.*\d)[\w.~+/=-]{20,}$/
const TOKEN_CANDIDATES = /[\w.~+/=-]{20,}/g

export function valueIn(json: unknown): string | undefined {
  const value = (json as { sha1?: unknown } | null | undefined)?.sha1
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isTooLong = (value: string) => value.length > MAX_SENT_CHARS

/** Returns the reason why a token value cannot be sent; undefined if it can. */
export function sendingProblem(value: string): string | undefined {
  if (isTooLong(value)) {
    return `has ${value.length} characters, and Plumbline sends at most ${MAX_SENT_CHARS}`
  }
  return SENDABLE.test(value) ? undefined : 'has characters that a header field cannot carry'
}

// A slice without the copy would keep the whole text in memory.
const copyPrefix = (text: string) => structuredClone(text.slice(0, MAX_KEPT_BODY_CHARS))

function* listTexts(json: unknown): Iterable<string> {
  if (typeof json === 'string') yield json
  else if (typeof json === 'object' && json !== null) {
    for (const value of Object.values(json)) yield* listTexts(value)
  }
}

function* matchCandidates(text: string): Iterable<string> {
  for (const [word] of text.matchAll(TOKEN_CANDIDATES)) yield word
}

/**
 * Returns the token values of a response: the documented one, then texts that look like one and contain
 * no known secret. A server that deviates from its document may show the value in another field.
 */
export function issuedTokens(
  json: unknown,
  text: string,
  { runId, redactor }: { runId: string; redactor: Pick<Redactor, 'holdsSecret'> },
): string[] {
  const value = valueIn(json)
  const candidates = new Set<string>()
  // Reports show no more of a response.
  let remainingChars = MAX_KEPT_BODY_CHARS
  for (const word of json === undefined ? matchCandidates(text) : listTexts(json)) {
    if (candidates.size === MAX_CANDIDATES || remainingChars === 0) break
    const prefix = word.slice(0, remainingChars)
    if (word === value || !TOKEN_LIKE.test(prefix) || prefix.includes(runId)) continue
    if (!candidates.has(prefix)) remainingChars -= prefix.length
    candidates.add(prefix)
  }
  const unknown = [...candidates].filter((word) => !redactor.holdsSecret(word))
  return [...(value === undefined ? [] : [value]), ...unknown].map(copyPrefix)
}

export interface CreationOptions {
  /** Part of the token's name, and of the placeholder for its value in reports. */
  label: string
  /** The name differs at each attempt, since the request of a lost response may have succeeded. */
  body?: (name: string, attempt: number) => TokenRequest | Promise<TokenRequest>
  scopes?: readonly string[]
  /** Defaults to the account's password. */
  credentials?: Credentials
  oneTimeCode?: () => string | undefined
  priority?: number
  /** Deletes the token as soon as it exists, or after this promise. */
  unused?: true | ((creation: Exchange) => Promise<unknown>)
}

interface RequestedToken extends CreatedResource {
  owner: KnownAccount
  /** True if the run did not wait for the response, so that the token may still be created. */
  late: boolean
  rejectedWith?: number
}

/** Returns the outcome of a creation; `unknown` for an error that an intermediary may have sent. */
function creationOutcome(exchange: Exchange): 'created' | 'rejected' | 'unknown' {
  const { status, json } = exchange
  const value = valueIn(json)
  if (status === 201 || (status < 300 && value !== undefined)) return 'created'
  // A proxy reports a closed connection with 499.
  const isRejection = status >= 400 && status < 500 && status !== 499
  const isError = isRejection && messageOf(exchange) !== undefined
  return isError && value === undefined ? 'rejected' : 'unknown'
}

type Deletion = TokenDeletion['outcome']

/** Creates tokens. Records each in the ledger first, and deletes all at the end of the run. */
export class TokenCreation {
  /** Issued tokens, each with its account and the exchange that issued it. */
  readonly issuedTokens: { name: string; value: string; account: string; exchange: string }[] = []
  /** The unmet need that prevents every creation, if any. */
  readonly blocker: 'write requests' | 'token creation' | undefined
  /** Results of early deletions, by the exchange that created the token. */
  readonly deletions = new Map<string, Promise<Deletion | undefined>>()
  readonly #run: Run
  readonly #target: CodeHostingTarget
  readonly #client: CodeHostingClient
  /** Tokens that exist or may exist. */
  readonly #tokens = new Set<RequestedToken>()
  readonly #rejected: RequestedToken[] = []
  /** Tokens whose deletion started before the end of the run; a rejected one may have the same name. */
  readonly #deletedEarly: RequestedToken[] = []
  /** Accounts whose password the service accepted for a token. */
  readonly #accepted = new Set<string>()
  /** True once a token was deleted at the path, so that 404 means that there is no such token. */
  #isPathConfirmed = false

  constructor(run: Run, target: CodeHostingTarget, client: CodeHostingClient) {
    this.#run = run
    this.#target = target
    this.#client = client
    const passwordNeed = target.token === undefined ? undefined : 'token creation'
    this.blocker = run.settings.target.probe.readOnly ? 'write requests' : passwordNeed
    run.closings.push(() => this.#deleteAll())
  }

  /** Requests a token; records each attempt in the ledger. @throws Skip if no token may be created */
  async request(owner: KnownAccount, options: CreationOptions): Promise<Exchange> {
    if (this.blocker !== undefined) skipUnmetNeed(this.blocker)
    const exchange = await retryLostResponse(this.#run, (attempt) =>
      this.#attempt(owner, options, attempt),
    )
    // The service rejected an equal request before; without a name the token cannot be deleted.
    if (creationOutcome(exchange) === 'rejected') {
      for (const token of this.#tokens) {
        if (token.unconfirmed && token.name === UNNAMED) this.#clear(token)
      }
    }
    return exchange
  }

  async #attempt(
    owner: KnownAccount,
    { label, body, scopes = [], credentials, oneTimeCode, priority, unused }: CreationOptions,
    attempt: number,
  ): Promise<Exchange> {
    const { ledger, redactor, settings } = this.#run
    const options = { runId: settings.runId, redactor }
    const secret = `${label.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`
    // Some names have a capital letter: a server may compare them without letter case.
    const part = label.replace(/^read/, 'Read')
    const name = `plumbline-${options.runId}-${part}${attempt === 1 ? '' : `-${attempt}`}`
    const requestBody = (await body?.(name, attempt)) ?? { name, scopes }
    const token: RequestedToken = {
      kind: 'access token',
      // A server that accepts the malformed text reads this name in it.
      name: typeof requestBody === 'string' ? name : String(requestBody.name ?? '') || UNNAMED,
      account: owner.username,
      deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
      service: 'code-hosting',
      baseUrl: this.#target.baseUrl,
      owner,
      unconfirmed: true,
      late: false,
    }
    ledger.recordIntent(token)
    this.#tokens.add(token)
    const request = this.#client.createToken(owner.username, requestBody, {
      credentials: credentials ?? owner.credentials,
      oneTimeCode: oneTimeCode?.(),
      priority,
      secretsIn: (json, text) =>
        issuedTokens(json, text, options).map((value) => ({ name: secret, value })),
    })
    const response = await request.catch((error) => {
      if (error instanceof Interrupted && !error.sent) this.#clear(token)
      token.late = error instanceof Interrupted
      throw error
    })
    const value = valueIn(response.json)
    if (value !== undefined && !isTooLong(value)) {
      const { name, account } = token
      this.issuedTokens.push({ name, value, account, exchange: response.id })
    }
    const outcome = creationOutcome(response)
    if (outcome === 'rejected') {
      this.#clear(token)
      this.#rejected.push(Object.assign(token, { rejectedWith: response.status }))
    } else if (outcome === 'created') {
      token.unconfirmed = undefined
      ledger.recordCreated(token)
      if (credentials === undefined) this.#accepted.add(owner.username)
      if (unused) this.#deleteEarly(token, response, unused === true ? undefined : unused(response))
    }
    return response
  }

  #clear(token: RequestedToken): void {
    this.#run.ledger.recordDeleted(token)
    this.#tokens.delete(token)
  }

  #deleteEarly(token: RequestedToken, creation: Exchange, used?: Promise<unknown>): void {
    this.#tokens.delete(token)
    this.#deletedEarly.push(token)
    const remove = () => runInScope(createScope(CLEAN_UP), () => this.#deleteTokens([token]))
    const deletion = Promise.allSettled([used])
      .then(remove)
      .then(([outcome]) => outcome)
    this.deletions.set(creation.id, deletion)
  }

  async #deleteAll(): Promise<void> {
    const confirmed = [...this.#tokens].filter(({ unconfirmed }) => !unconfirmed)
    const [others] = await Promise.all([
      this.#findUntrustedRejections(),
      this.#deleteTokens(confirmed),
      ...this.deletions.values(),
    ])
    const unconfirmed = [...this.#tokens].filter((token) => token.unconfirmed)
    await this.#deleteTokens([...unconfirmed, ...others])
  }

  /** Evaluates the results together, since any deletion may confirm the path. */
  async #deleteTokens(tokens: readonly RequestedToken[]): Promise<Deletion[]> {
    const outcomes = await Promise.all(tokens.map((token) => this.#remove(token)))
    for (const [index, token] of tokens.entries()) {
      const { kind, name, account, deletedBy, unconfirmed, late } = token
      const isAbsent = outcomes[index] === 'absent' && unconfirmed && !late && this.#isPathConfirmed
      const leaked = { kind, name, account, deletedBy, ...(unconfirmed && { unconfirmed }) }
      if (outcomes[index] === 'deleted' || outcomes[index] === 'gone' || isAbsent)
        this.#run.ledger.recordDeleted(token)
      else this.#run.leakedResources.push(leaked)
    }
    return outcomes
  }

  async #remove(token: RequestedToken): Promise<Deletion> {
    if (this.#target.tokenDeletePath === undefined || token.name === UNNAMED) return 'rejected'
    const { credentials } = token.owner
    const deletion = deleteToken(this.#run, this.#target, this.#client, token, credentials)
    const { outcome } = await deletion
    this.#isPathConfirmed ||= outcome === 'deleted'
    return outcome
  }

  /**
   * Returns rejected tokens that may exist anyway. Tries to delete a sample token per status code;
   * if a sample existed, no rejection is trusted.
   */
  async #findUntrustedRejections(): Promise<RequestedToken[]> {
    const rejected = this.#rejected.sort((one, other) => (one.name < other.name ? -1 : 1))
    const worthTrying = rejected.filter((token) => this.#isWorthTrying(token))
    const byStatus = groupBy(worthTrying, ({ rejectedWith }) => String(rejectedWith))
    const samples = [...byStatus.values()].map((tokens) => this.#deleteSample(tokens))
    const deleted = (await Promise.all(samples)).flat()
    if (deleted.length === 0) return []
    const others = rejected.filter((token) => !deleted.includes(token))
    for (const token of others) this.#run.ledger.recordIntent(token)
    return others
  }

  /** Returns the last of the tokens if it existed; empty if not. */
  async #deleteSample(tokens: readonly RequestedToken[]): Promise<RequestedToken[]> {
    for (const token of tokens.toReversed()) {
      const outcome = await this.#remove(token)
      // A deleted sample may never have existed: only another sample shows it.
      if (outcome !== 'gone') return outcome === 'deleted' ? [token] : []
    }
    return []
  }

  /** Returns false if a deletion would send a password that may be wrong, or use a one-time code. */
  #isWorthTrying({ name, account, rejectedWith: status }: RequestedToken): boolean {
    if (name === UNNAMED || account === this.#target.otp?.username) return false
    const isOfAnother = [...this.#tokens, ...this.#deletedEarly].some(
      (other) => other.name === name && other.account === account,
    )
    return !isOfAnother && ((status !== 401 && status !== 403) || this.#accepted.has(account))
  }
}
