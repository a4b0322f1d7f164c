import { messageOf } from '../../../lib/conformance/exchange-words.ts'
import { type Creation, NAMELESS } from '../../../lib/conformance/ledger.ts'
import { atClose } from '../../../lib/conformance/lifecycle.ts'
import { untilAnswered } from '../../../lib/conformance/lost-answers.ts'
import { Interrupted } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { CLEAN_UP, createScope, runInScope } from '../../../lib/conformance/scope.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Redactor } from '../../../lib/probe/redaction.ts'
import type { CodeHostingClient, TokenRequest } from '../client.ts'
import { type CodeHostingNeed, needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { KnownAccount } from './accounts.ts'
import { createTokenDeletion, type TokenDeletion } from './token-deletion.ts'

/** What a header carries beside all else, with room to spare; in UTF-16 code units. */
const LONGEST_VALUE = 4096

/** Texts of one answer that are kept for tokens, beside the documented one. */
const MOST_CANDIDATES = 16

/** What may be a token: names of tokens, which are as long, say which run they are of. */
const TOKEN_LIKE = /^(?=.*\d)[\w.~+/=-]{20,}$/
const WORDS = /[\w.~+/=-]{20,}/g

/** The token value that a creation was answered with. */
export function valueIn(json: unknown): string | undefined {
  const value = (json as { sha1?: unknown } | null | undefined)?.sha1
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether a value is longer than can be sent: nothing is done with it but to hide its beginning. */
export function isTooLong(value: string): boolean {
  return value.length > LONGEST_VALUE
}

// A copy: the beginning of a text would keep all of it in memory.
function beginningOf(text: string): string {
  return structuredClone(text.slice(0, LONGEST_VALUE))
}

function* textsIn(json: unknown): Iterable<string> {
  if (typeof json === 'string') yield json
  else if (typeof json === 'object' && json !== null) {
    for (const value of Object.values(json)) yield* textsIn(value)
  }
}

function* wordsIn(text: string): Iterable<string> {
  for (const [word] of text.matchAll(WORDS)) yield word
}

/**
 * What an answer hands out: the token value first, then the first texts that look like one and hold no
 * other secret, since a server that differs from its document may show it in another place.
 */
export function mintedValues(
  json: unknown,
  text: string,
  { runId, redactor }: { runId: string; redactor: Pick<Redactor, 'redact'> },
): string[] {
  const value = valueIn(json)
  const candidates = new Set<string>()
  for (const word of json === undefined ? wordsIn(text) : textsIn(json)) {
    if (candidates.size === MOST_CANDIDATES) break
    const beginning = word.slice(0, LONGEST_VALUE)
    if (word === value || !TOKEN_LIKE.test(beginning) || beginning.includes(runId)) continue
    candidates.add(beginning)
  }
  const unknown = [...candidates].filter((word) => redactor.redact(word) === word)
  return [...(value === undefined ? [] : [value]), ...unknown].map(beginningOf)
}

/** A token value that the service has handed out and that can be used, and the exchange in which it did. */
export interface MintedToken {
  value: string
  exchange: string
}

export interface CreationOptions {
  /** Names the token and, in reports, stands for its value. */
  label: string
  /**
   * Defaults to a body with the label's name and these scopes. Asked for once an attempt: the name is
   * another one each time, since a lost answer leaves open whether the name is taken.
   */
  body?: (name: string, attempt: number) => TokenRequest | Promise<TokenRequest>
  scopes?: readonly string[]
  /** Defaults to the account's password. */
  credentials?: Credentials
  /** Asked for once an attempt. */
  oneTimeCode?: () => string | undefined
  priority?: number
  /** No check uses the token: it is taken away as soon as it is there. */
  unused?: boolean
}

/** Asks for tokens, notes each in the ledger first, and takes away at the end what was made. */
export interface TokenCreation {
  /** @throws Skip when nothing may be created */
  request(account: KnownAccount, options: CreationOptions): Promise<Exchange>
  nameOf(label: string): string
  /** What is missing to create anything; `undefined` when nothing is. */
  readonly obstacle: CodeHostingNeed | undefined
  minted: readonly MintedToken[]
}

interface MadeToken extends Creation {
  owner: KnownAccount
  /** It may still be made: nobody waited for the answer. */
  late: boolean
}

/** The service said that it made none. */
interface RefusedToken extends MadeToken {
  status: number
}

/**
 * What an answer says of the token that was asked for. Only the service itself can refuse it: a time-out
 * on the way, or a page that is no error of the API, leaves open whether it was made behind that.
 */
function toldBy(exchange: Exchange): 'made' | 'refused' | 'nothing' {
  const { status, json } = exchange
  const value = valueIn(json)
  if (status === 201 || (status < 300 && value !== undefined)) return 'made'
  const ofTheService = messageOf(exchange) !== undefined && value === undefined
  const refused = status >= 400 && status < 500 && status !== CLIENT_CLOSED && ofTheService
  return refused ? 'refused' : 'nothing'
}

/** Of a proxy, which tells of the connection and not of the request. */
const CLIENT_CLOSED = 499

function secretName(label: string): string {
  return `${label.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`
}

function obstacleTo(run: Run, target: CodeHostingTarget): CodeHostingNeed | undefined {
  if (run.settings.target.probe.readOnly) return 'writing'
  return target.token === undefined ? undefined : 'password in place of a token'
}

export function createTokenCreation(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
): TokenCreation {
  const made: MadeToken[] = []
  const minted: MintedToken[] = []

  const obstacle = obstacleTo(run, target)
  const nameOf = (label: string) => `plumbline-${run.settings.runId}-${label}`
  const deletion = createTokenDeletion(run, target, client)

  const refused: RefusedToken[] = []

  /** Accounts of which a token could be deleted at the path, so that its 404 tells something. */
  const deletedOf = new Set<string>()

  async function remove(token: MadeToken): Promise<TokenDeletion['outcome']> {
    const path = target.tokenDeletePath
    if (path === undefined || token.name === NAMELESS) return 'refused'
    const { outcome } = await deletion.remove(token, token.owner, path)
    if (outcome === 'deleted') deletedOf.add(token.account)
    return outcome
  }

  function isGone({ mayExist, late }: MadeToken, outcome: TokenDeletion['outcome']): boolean {
    const neverMade = outcome === 'absent' && mayExist && !late && deletedOf.size > 0
    return outcome === 'deleted' || neverMade === true
  }

  function tellLeft({ kind, name, account, deletedBy, mayExist }: MadeToken): void {
    run.leftBehind.push({ kind, name, account, deletedBy, ...(mayExist ? { mayExist } : {}) })
  }

  /** Each is concluded upon when all were tried: by then a 404 may tell more. */
  async function takeAway(tokens: readonly MadeToken[]): Promise<void> {
    const outcomes = await Promise.all(
      tokens.map(async (token) => ({ token, outcome: await remove(token) })),
    )
    for (const { token, outcome } of outcomes) {
      if (isGone(token, outcome)) run.ledger.settle(token)
      else tellLeft(token)
    }
  }

  /** Accounts for whose password the service has made a token. */
  const accepted = new Set<string>()

  /** A password that may be wrong is not sent once more, nor are one-time codes used up. */
  function isWorthTrying({ name, account, status }: RefusedToken): boolean {
    if (name === NAMELESS || account === target.otp?.username) return false
    const isOfAnother = made.some((other) => other.name === name && other.account === account)
    return !isOfAnother && ((status !== 401 && status !== 403) || accepted.has(account))
  }

  /**
   * A refusal creates nothing, and to ask after each would be many requests in vain. One of each status
   * is asked after, always the same: where that is there, no refusal of the service is believed.
   *
   * @returns those that may exist all the same
   */
  async function unbelieved(): Promise<MadeToken[]> {
    const samples = new Map<number, RefusedToken>()
    for (const token of refused.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (isWorthTrying(token)) samples.set(token.status, token)
    }
    const outcomes = await Promise.all([...samples.values()].map(remove))
    if (!outcomes.includes('deleted')) return []
    const gone = [...samples.values()].filter((_, index) => outcomes[index] === 'deleted')
    const others = refused.filter((token) => !gone.includes(token))
    for (const token of others) run.ledger.intend(token)
    return others
  }

  /** It was not made. */
  function settle(token: MadeToken): void {
    run.ledger.settle(token)
    const index = made.indexOf(token)
    if (index >= 0) made.splice(index, 1)
  }

  const leaving: Promise<void>[] = []
  atClose(async () => {
    const sure = made.filter(({ mayExist }) => !mayExist)
    const [others] = await Promise.all([unbelieved(), takeAway(sure), ...leaving])
    await takeAway([...made.filter(({ mayExist }) => mayExist), ...others])
  })

  /** One attempt. It is noted, and until the service has said otherwise, the token may exist. */
  async function requestOnce(
    account: KnownAccount,
    name: string,
    body: TokenRequest,
    { label, priority, unused = false, ...options }: CreationOptions,
  ): Promise<Exchange> {
    const token: MadeToken = {
      kind: 'access token',
      // Text is made malformed on purpose: a server that reads it all the same finds this name.
      name: (typeof body === 'string' ? name : body.name) ?? NAMELESS,
      account: account.username,
      deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
      service: 'code-hosting',
      baseUrl: target.baseUrl,
      owner: account,
      mayExist: true,
      late: false,
    }
    run.ledger.intend(token)
    made.push(token)
    const creating = client.createToken(account.username, body, {
      credentials: options.credentials ?? account.credentials,
      oneTimeCode: options.oneTimeCode?.(),
      priority,
      secretsIn: (json, text) =>
        mintedValues(json, text, { runId: run.settings.runId, redactor: run.redactor }).map(
          (value) => ({ name: secretName(label), value }),
        ),
    })
    const exchange = await creating.catch((error: unknown) => {
      if (error instanceof Interrupted && !error.sent) settle(token)
      token.late = error instanceof Interrupted
      throw error
    })
    const value = valueIn(exchange.json)
    if (value !== undefined && !isTooLong(value)) minted.push({ value, exchange: exchange.id })
    const told = toldBy(exchange)
    if (told === 'refused') {
      settle(token)
      refused.push(Object.assign(token, { status: exchange.status }))
    }
    if (told === 'made') {
      token.mayExist = undefined
      run.ledger.confirm(token)
      if (options.credentials === undefined) accepted.add(account.username)
      if (unused) {
        made.splice(made.indexOf(token), 1)
        leaving.push(runInScope(createScope(CLEAN_UP), () => takeAway([token])))
      }
    }
    return exchange
  }

  return {
    minted,
    nameOf,
    obstacle,

    async request(account, { body, scopes = [], ...options }) {
      if (obstacle !== undefined) needed(obstacle)
      const exchange = await untilAnswered(run, async (attempt) => {
        const name = nameOf(attempt === 1 ? options.label : `${options.label}-${attempt}`)
        const asked = (await body?.(name, attempt)) ?? { name, scopes }
        return requestOnce(account, name, asked, options)
      })
      // The same request was refused when it came before, and there is no name to delete it by.
      if (toldBy(exchange) === 'refused') {
        for (const token of made.filter(({ mayExist, name }) => mayExist && name === NAMELESS))
          settle(token)
      }
      return exchange
    },
  }
}
