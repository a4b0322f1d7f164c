import { Interrupted } from '../../../lib/conformance/check-errors.ts'
import { messageOf } from '../../../lib/conformance/describe-exchange.ts'
import { CLEAN_UP, createScope, runInScope } from '../../../lib/conformance/evidence-scope.ts'
import { type Creation, NAMELESS } from '../../../lib/conformance/ledger.ts'
import { retryLostResponse } from '../../../lib/conformance/retry-lost-responses.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { MAX_KEPT_BODY_CHARS } from '../../../lib/probe/recorder.ts'
import type { Redactor } from '../../../lib/probe/redaction.ts'
import type { CodeHostingClient, TokenRequest } from '../client.ts'
import { needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { KnownAccount } from './accounts.ts'
import { deleteToken, type TokenDeletion } from './token-deletion.ts'

/** A header carries it beside all else, with room to spare; in UTF-16 code units. */
const LONGEST_SENT = 4096
/** Each is one character of a header field, whatever a server takes the bytes of others for. */
const SENDABLE = /^[\x21-\x7e]+$/

/** Texts of one answer that are kept for tokens, beside the documented one. */
const MOST_CANDIDATES = 16

/** What may be a token: names of tokens, which are as long, say which run they are of. */
const TOKEN_LIKE = /^(?=.*\d)[\w.~+/=-]{20,}$/
const WORDS = /[\w.~+/=-]{20,}/g

export function valueIn(json: unknown): string | undefined {
  const value = (json as { sha1?: unknown } | null | undefined)?.sha1
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isTooLong = (value: string) => value.length > LONGEST_SENT

/** Returns what keeps a token value from being sent, though a service may issue it; undefined if nothing does. */
export function sendingProblem(value: string): string | undefined {
  if (isTooLong(value)) {
    return `has ${value.length} characters, and Plumbline sends at most ${LONGEST_SENT}`
  }
  return SENDABLE.test(value) ? undefined : 'has characters that a header field cannot carry'
}

// A copy: the beginning of a text would keep all of it in memory.
const beginningOf = (text: string) => structuredClone(text.slice(0, MAX_KEPT_BODY_CHARS))

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
  { runId, redactor }: { runId: string; redactor: Pick<Redactor, 'holdsSecret'> },
): string[] {
  const value = valueIn(json)
  const candidates = new Set<string>()
  // Reports show no more of an answer.
  let room = MAX_KEPT_BODY_CHARS
  for (const word of json === undefined ? wordsIn(text) : textsIn(json)) {
    if (candidates.size === MOST_CANDIDATES || room === 0) break
    const beginning = word.slice(0, room)
    if (word === value || !TOKEN_LIKE.test(beginning) || beginning.includes(runId)) continue
    if (!candidates.has(beginning)) room -= beginning.length
    candidates.add(beginning)
  }
  const unknown = [...candidates].filter((word) => !redactor.holdsSecret(word))
  return [...(value === undefined ? [] : [value]), ...unknown].map(beginningOf)
}

export interface CreationOptions {
  /** Names the token and, in reports, stands for its value. */
  label: string
  /** The name is another one at each attempt, since a lost answer leaves open whether it is taken. */
  body?: (name: string, attempt: number) => TokenRequest | Promise<TokenRequest>
  scopes?: readonly string[]
  /** Defaults to the account's password. */
  credentials?: Credentials
  oneTimeCode?: () => string | undefined
  priority?: number
  /** Deletes the token as soon as it exists, or when this has settled. */
  unused?: true | ((creation: Exchange) => Promise<unknown>)
}

interface MadeToken extends Creation {
  owner: KnownAccount
  /** It may still be made: nobody waited for the answer. */
  late: boolean
  /** The status with which the service said that it made none. */
  refused?: number
}

/**
 * What an answer says of the token that was asked for. Only the service itself can refuse it: a time-out
 * on the way, or a page that is no error of the API, leaves open whether it was made behind that.
 */
function reportedBy(exchange: Exchange): 'made' | 'refused' | 'nothing' {
  const { status, json } = exchange
  const value = valueIn(json)
  if (status === 201 || (status < 300 && value !== undefined)) return 'made'
  // With 499 a proxy tells of the connection, and not of the request.
  const isRefusal = status >= 400 && status < 500 && status !== 499
  const isError = isRefusal && messageOf(exchange) !== undefined
  return isError && value === undefined ? 'refused' : 'nothing'
}

export type TokenCreation = ReturnType<typeof createTokenCreation>

/** Asks for tokens, notes each in the ledger first, and takes away at the end what was made. */
export function createTokenCreation(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
) {
  const { runId } = run.settings
  const minting = { runId, redactor: run.redactor }
  const made = new Set<MadeToken>()
  const refused: MadeToken[] = []
  /** Token values that can be used, each with the exchange in which the service handed it out. */
  const minted: { value: string; exchange: string }[] = []
  const given = target.token === undefined ? undefined : 'password in place of a token'
  /** What is missing to create anything. */
  const obstacle = run.settings.target.probe.readOnly ? 'writing' : given
  /** Whether a token could be deleted at the path, so that its 404 tells something. */
  let isPathRight = false
  /** Accounts for whose password the service has made a token. */
  const accepted = new Set<string>()

  async function remove(token: MadeToken): Promise<TokenDeletion['outcome']> {
    if (target.tokenDeletePath === undefined || token.name === NAMELESS) return 'refused'
    const { outcome } = await deleteToken(run, target, client, token, token.owner.credentials)
    isPathRight ||= outcome === 'deleted'
    return outcome
  }

  /** Each is concluded upon when all were tried: by then a 404 may tell more. */
  async function takeAway(tokens: readonly MadeToken[]) {
    const outcomes = await Promise.all(tokens.map(remove))
    for (const [index, token] of tokens.entries()) {
      const { kind, name, account, deletedBy, mayExist, late } = token
      const neverMade = outcomes[index] === 'absent' && mayExist && !late && isPathRight
      if (outcomes[index] === 'deleted' || neverMade) run.ledger.settle(token)
      else run.leftBehind.push({ kind, name, account, deletedBy, ...(mayExist && { mayExist }) })
    }
    return outcomes
  }

  /** A password that may be wrong is not sent once more, nor are one-time codes used up. */
  function isWorthTrying({ name, account, refused: status }: MadeToken): boolean {
    if (name === NAMELESS || account === target.otp?.username) return false
    const isOfAnother = [...made].some((other) => other.name === name && other.account === account)
    return !isOfAnother && ((status !== 401 && status !== 403) || accepted.has(account))
  }

  /**
   * Those of the refused that may exist all the same. To ask after each would be many requests in vain:
   * of each status the same one is, and where that is there, no refusal of the service is believed.
   */
  async function unbelieved(): Promise<MadeToken[]> {
    refused.sort((one, other) => (one.name < other.name ? -1 : 1))
    const byStatus = new Map(refused.filter(isWorthTrying).map((token) => [token.refused, token]))
    const samples = [...byStatus.values()]
    const outcomes = await Promise.all(samples.map(remove))
    const gone = samples.filter((_, index) => outcomes[index] === 'deleted')
    if (gone.length === 0) return []
    const others = refused.filter((token) => !gone.includes(token))
    for (const token of others) run.ledger.intend(token)
    return others
  }

  function settle(token: MadeToken): void {
    run.ledger.settle(token)
    made.delete(token)
  }

  /** Early deletions, by the exchange that created the token. */
  const deletions = new Map<string, Promise<TokenDeletion['outcome'] | undefined>>()
  run.closings.push(async () => {
    const sure = [...made].filter(({ mayExist }) => !mayExist)
    const [others] = await Promise.all([unbelieved(), takeAway(sure), ...deletions.values()])
    await takeAway([...[...made].filter(({ mayExist }) => mayExist), ...others])
  })

  return {
    minted,
    obstacle,

    /** Returns the result of an early deletion; `undefined` if there was none. */
    deletion: ({ id }: Exchange) => deletions.get(id),

    /**
     * Each attempt is noted, and until the service has said otherwise, its token may exist.
     *
     * @throws Skip when nothing may be created
     */
    async request(
      owner: KnownAccount,
      { label, body, scopes = [], credentials, oneTimeCode, priority, unused }: CreationOptions,
    ): Promise<Exchange> {
      if (obstacle !== undefined) needed(obstacle)
      const secret = `${label.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`
      const exchange = await retryLostResponse(run, async (attempt) => {
        const name = `plumbline-${runId}-${label}${attempt === 1 ? '' : `-${attempt}`}`
        const asked = (await body?.(name, attempt)) ?? { name, scopes }
        const token: MadeToken = {
          kind: 'access token',
          // Text is made malformed on purpose: a server that reads it all the same finds this name.
          name: (typeof asked === 'string' ? name : asked.name) ?? NAMELESS,
          account: owner.username,
          deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
          service: 'code-hosting',
          baseUrl: target.baseUrl,
          owner,
          mayExist: true,
          late: false,
        }
        run.ledger.intend(token)
        made.add(token)
        const creating = client.createToken(owner.username, asked, {
          credentials: credentials ?? owner.credentials,
          oneTimeCode: oneTimeCode?.(),
          priority,
          secretsIn: (json, text) =>
            mintedValues(json, text, minting).map((value) => ({ name: secret, value })),
        })
        const answer = await creating.catch((error: unknown) => {
          if (error instanceof Interrupted && !error.sent) settle(token)
          token.late = error instanceof Interrupted
          throw error
        })
        const value = valueIn(answer.json)
        if (value !== undefined && !isTooLong(value)) minted.push({ value, exchange: answer.id })
        const reported = reportedBy(answer)
        if (reported === 'refused') {
          settle(token)
          refused.push(Object.assign(token, { refused: answer.status }))
        }
        if (reported !== 'made') return answer
        token.mayExist = undefined
        run.ledger.confirm(token)
        if (credentials === undefined) accepted.add(owner.username)
        if (unused) {
          made.delete(token)
          const isUsed = typeof unused === 'function' ? unused(answer) : undefined
          const remove = () => runInScope(createScope(CLEAN_UP), () => takeAway([token]))
          const deletion = Promise.allSettled([isUsed]).then(remove)
          deletions.set(
            answer.id,
            deletion.then(([outcome]) => outcome),
          )
        }
        return answer
      })
      // The same request was refused when it came before, and there is no name to delete it by.
      if (reportedBy(exchange) === 'refused') {
        for (const token of made) if (token.mayExist && token.name === NAMELESS) settle(token)
      }
      return exchange
    },
  }
}
