/** Creation of access tokens, and their deletion at the end of a run and by the command sweep. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Inconclusive, Interrupted } from '../../lib/conformance/check-errors.ts'
import { CLEAN_UP, createScope, runInScope } from '../../lib/conformance/check-scope.ts'
import { messageOf } from '../../lib/conformance/describe-exchange.ts'
import { createRun, type Run } from '../../lib/conformance/probe-run.ts'
import {
  type RetrySettings,
  retryLostResponse,
} from '../../lib/conformance/retry-lost-responses.ts'
import { type CreatedResource, UNNAMED } from '../../lib/ledger/ledger.ts'
import type { Sweeper, Swept } from '../../lib/ledger/sweeper.ts'
import { basic, type Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { MAX_KEPT_BODY_CHARS } from '../../lib/probe/recorder.ts'
import type { Redactor } from '../../lib/probe/redaction/redaction.ts'
import { reasonText } from '../../lib/reports/reason-text.ts'
import { serviceIn } from '../service.ts'
import { type KnownAccount, mainOf, oneTimeCode, untilNextStep } from './accounts.ts'
import { CodeHostingClient, type TokenRequest } from './client.ts'
import { skipUnmetNeed } from './needs.ts'
import { MAX_SENT_CHARS, valueIn } from './responses.ts'
import type { CodeHostingTarget } from './variables.ts'

/** Maximum number of other texts of one response that are treated as tokens. */
const MAX_CANDIDATES = 16
/** A text that may be a token. Names of tokens match too, but contain the run id. */
const TOKEN_LIKE = /^(?=.*\d)[\w.~+/=-]{20,}$/

function* textsIn(json: unknown): Iterable<string> {
  if (typeof json === 'string') yield json
  else if (typeof json === 'object' && json !== null) {
    for (const value of Object.values(json)) yield* textsIn(value)
  }
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
  for (const word of json === undefined ? (text.match(/[\w.~+/=-]{20,}/g) ?? []) : textsIn(json)) {
    if (candidates.size === MAX_CANDIDATES || remainingChars === 0) break
    const prefix = word.slice(0, remainingChars)
    if (word === value || !TOKEN_LIKE.test(prefix) || prefix.includes(runId)) continue
    if (!candidates.has(prefix)) remainingChars -= prefix.length
    candidates.add(prefix)
  }
  const others = [...candidates].filter((word) => !redactor.holdsSecret(word))
  // A slice without the copy would keep the whole text in memory.
  const copy = (word: string) => structuredClone(word.slice(0, MAX_KEPT_BODY_CHARS))
  return [...(value === undefined ? [] : [value]), ...others].map(copy)
}

export interface CreationOptions {
  /** Part of the token's name, and of the placeholder for its value in reports. */
  label: string
  scopes?: readonly string[]
  /** Replaces the name and the scopes. The name differs at each attempt, since a lost request may have succeeded. */
  body?: (name: string, attempt: number) => TokenRequest | Promise<TokenRequest>
  /** Defaults to the account's password. */
  credentials?: Credentials
  oneTimeCode?: () => string | undefined
  priority?: number
  sudo?: { as: string; in: 'header' | 'query' } | undefined
  /** Deletes the token as soon as it exists, or after this promise. */
  unused?: true | ((creation: Exchange) => Promise<unknown>)
}

interface RequestedToken extends CreatedResource {
  credentials: Credentials
  /** True if the run did not wait for the response, so that the token may still be created. */
  isLate?: boolean
}

/** Returns the outcome of a creation; `unknown` for an error that an intermediary may have sent. */
function outcomeOf(creation: Exchange): 'created' | 'rejected' | 'unknown' {
  const { status, json } = creation
  const hasValue = valueIn(json) !== undefined
  if (status === 201 || (status < 300 && hasValue)) return 'created'
  // A proxy reports a closed connection with 499.
  const isRejection = status >= 400 && status < 500 && status !== 499
  return isRejection && !hasValue && messageOf(creation) !== undefined ? 'rejected' : 'unknown'
}

export type TokenCreation = ReturnType<typeof createTokenCreation>

/** Creates tokens. Records each in the ledger first, and deletes all at the end of the run. */
export function createTokenCreation(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
) {
  const { ledger, redactor, settings } = run
  const { baseUrl, tokenDeletePath } = target
  /** Issued tokens, each with its account and the exchange that issued it. */
  const issued: { name: string; value: string; account: string; exchange: string }[] = []
  /** Results of early deletions, by the exchange that created the token. */
  const deletions = new Map<string, Promise<TokenDeletion['outcome'] | undefined>>()
  /** Tokens that exist or may exist, and whose deletion has not started. */
  const tokens = new Set<RequestedToken>()
  /** True once a token was deleted at the path, so that 404 means that there is no such token. */
  let isPathConfirmed = false
  const passwordNeed = target.token === undefined ? undefined : 'token creation'
  /** The unmet need that prevents every creation, if any. */
  const blocker = settings.target.probe.readOnly ? 'write requests' : passwordNeed

  function clear(token: RequestedToken): void {
    ledger.recordDeleted(token)
    tokens.delete(token)
  }

  async function remove(token: RequestedToken): Promise<TokenDeletion['outcome']> {
    if (tokenDeletePath === undefined || token.name === UNNAMED) return 'rejected'
    const { outcome, status } = await deleteToken(run, target, client, token)
    isPathConfirmed ||= outcome === 'deleted' && status !== 404
    return outcome
  }

  /** Deletes tokens, and reports the others. Any of the deletions may confirm the path for all. */
  async function removeAll(some: readonly RequestedToken[]): Promise<TokenDeletion['outcome'][]> {
    for (const token of some) tokens.delete(token)
    const outcomes = await Promise.all(some.map(remove))
    for (const [index, token] of some.entries()) {
      const { kind, name, account, deletedBy, unconfirmed, isLate } = token
      const isAbsent = outcomes[index] === 'absent' && unconfirmed && !isLate && isPathConfirmed
      const leaked = { kind, name, account, deletedBy, ...(unconfirmed && { unconfirmed }) }
      if (outcomes[index] === 'deleted' || isAbsent) ledger.recordDeleted(token)
      else run.leakedResources.push(leaked)
    }
    return outcomes
  }

  run.closings.push(async () => {
    const confirmed = [...tokens].filter(({ unconfirmed }) => !unconfirmed)
    await Promise.all([removeAll(confirmed), ...deletions.values()])
    await removeAll([...tokens])
  })

  async function send(
    { username, ...owner }: KnownAccount,
    { label, body, scopes = [], unused, ...options }: CreationOptions,
    attempt: number,
  ): Promise<Exchange> {
    const { runId } = settings
    // Some names have a capital letter: a server may compare them without letter case.
    const part = label.replace(/^read/, 'Read')
    const name = `plumbline-${runId}-${part}${attempt === 1 ? '' : `-${attempt}`}`
    const requested = (await body?.(name, attempt)) ?? { name, scopes }
    const token: RequestedToken = {
      // A server that accepts the malformed text reads this name in it.
      name: typeof requested === 'string' ? name : String(requested.name ?? '') || UNNAMED,
      ...{ kind: 'access token', account: username, credentials: owner.credentials },
      ...{ deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH', service: 'code-hosting', baseUrl },
      unconfirmed: true,
    }
    ledger.recordIntent(token)
    tokens.add(token)
    const secret = { name: `${label.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN` }
    const request = client.createToken(username, requested, {
      credentials: options.credentials ?? owner.credentials,
      oneTimeCode: options.oneTimeCode?.(),
      priority: options.priority,
      sudo: options.sudo,
      secretsIn: (json, text) =>
        issuedTokens(json, text, { runId, redactor }).map((value) => ({ ...secret, value })),
    })
    const response = await request.catch((error) => {
      token.isLate = error instanceof Interrupted
      if (error instanceof Interrupted && !error.sent) clear(token)
      throw error
    })
    const exchange = response.id
    const value = valueIn(response.json)
    if (value !== undefined && value.length <= MAX_SENT_CHARS) {
      issued.push({ name: token.name, value, account: username, exchange })
    }
    const outcome = outcomeOf(response)
    if (outcome === 'rejected') clear(token)
    if (outcome !== 'created') return response
    token.unconfirmed = undefined
    ledger.recordCreated(token)
    if (!unused) return response
    tokens.delete(token)
    const use = unused === true ? undefined : unused(response)
    const clean = () => runInScope(createScope(CLEAN_UP), () => removeAll([token]))
    deletions.set(
      exchange,
      Promise.allSettled([use])
        .then(clean)
        .then(([only]) => only),
    )
    return response
  }

  return {
    issued,
    deletions,
    blocker,
    /** Requests a token; records each attempt in the ledger. @throws Skip if no token may be created */
    async request(owner: KnownAccount, options: CreationOptions): Promise<Exchange> {
      if (blocker !== undefined) skipUnmetNeed(blocker)
      const exchange = await retryLostResponse(run, (attempt) => send(owner, options, attempt))
      // The service rejected an equal request before; without a name the token cannot be deleted.
      const isRejected = outcomeOf(exchange) === 'rejected'
      for (const token of tokens) {
        if (isRejected && token.unconfirmed && token.name === UNNAMED) clear(token)
      }
      return exchange
    },
  }
}

const LAST_PRIORITY = -1

/** Maximum number of steps in which a one-time code is tried, since other programs may use codes. */
const MAX_STEPS = 6

/** Milliseconds into a step at which a deletion is sent, after the token requests of other runs. */
const DELETION_MS_INTO_STEP = 15_000

interface TokenDeletion {
  outcome: 'deleted' | 'absent' | 'rejected' | 'failed'
  /** 404 for a token that a request without a response may have deleted. */
  status?: number
  error?: unknown
}

/** Deletes a token by the configured path and retries lost responses. Never throws. */
export async function deleteToken(
  run: RetrySettings & Pick<Run, 'redactor'>,
  { otp, tokenDeletePath = '' }: Pick<CodeHostingTarget, 'otp' | 'tokenDeletePath'>,
  client: Pick<CodeHostingClient, 'undocumented'>,
  { name, account, credentials }: Pick<RequestedToken, 'name' | 'account' | 'credentials'>,
): Promise<TokenDeletion> {
  const path = tokenDeletePath
    .replaceAll('{username}', encodeURIComponent(account))
    .replaceAll('{name}', encodeURIComponent(name))
  // Deletions are sent even after the run was interrupted.
  const retry = { settings: run.settings, wait: (milliseconds: number) => delay(milliseconds) }
  let isLost = false
  const send = (code?: () => string) =>
    retryLostResponse(retry, (attempt) => {
      isLost ||= attempt > 1
      const options = { credentials, oneTimeCode: code?.(), priority: LAST_PRIORITY }
      return client.undocumented({ method: 'DELETE', path, body: null }, options)
    })
  try {
    const withoutCode = await send()
    let { status } = withoutCode
    const secret = account === otp?.username ? otp.secret : undefined
    for (let step = 1; secret !== undefined && step <= MAX_STEPS; step += 1) {
      // The status of a request without its one-time code is not documented.
      if (status < 400 || status >= 500 || status === 404) break
      if (step > 1) await run.wait(untilNextStep() + DELETION_MS_INTO_STEP)
      const response = await send(() => oneTimeCode(run, secret))
      status = response.status
      // Two codes changed nothing, so the server rejects the credentials.
      const isSame = status === withoutCode.status && messageOf(response) === messageOf(withoutCode)
      if (step > 1 && isSame) break
    }
    if (status === 404) return { outcome: isLost ? 'deleted' : 'absent', status }
    return { outcome: status >= 200 && status < 300 ? 'deleted' : 'rejected', status }
  } catch (error) {
    return { outcome: 'failed', error }
  }
}

const unset =
  'CODE_HOSTING_TOKEN_DELETE_PATH is not set: nothing was sent. Set it to where tokens are deleted, such as ' +
  '/api/v1/users/{username}/tokens/{name}, and sweep again, or delete these in the settings of their accounts, and then the ledger.'
const notCreated =
  'no response confirmed that it was created, and a conforming service rejects it. If it exists, it is in the settings of the account'
const unnamed =
  'the service created it without a name, so it cannot be deleted by name: delete it in the settings of the account, and then this ledger'

type Result = Omit<Swept, 'creation'>
const keep = (reason: string) => ({ outcome: 'kept', reason }) as const

export const sweeper: Sweeper = {
  hint: 'No token was found. If some still exist, CODE_HOSTING_TOKEN_DELETE_PATH is not their path: delete the tokens above by hand.',

  blocker(creations, { codeHosting: { baseUrl, tokenDeletePath } = {} }) {
    const other = creations.find((creation) => creation.baseUrl !== baseUrl)
    if (other === undefined) return tokenDeletePath === undefined ? unset : undefined
    const configured = `CODE_HOSTING_BASE_URL is ${baseUrl ?? 'not set'}`
    const problem = `The run made it at ${other.baseUrl}, and ${configured}: nothing was sent`
    return `${problem}. Sweep again with the variables of that deployment.`
  },

  open(target, { version, secrets, redactor }) {
    const codeHosting = serviceIn(target, 'codeHosting')
    const { baseUrl, admin, other, otp, tokenDeletePath } = codeHosting
    if (tokenDeletePath === undefined) throw new Error('there is no path to delete tokens')
    const run = createRun({
      ...{ runId: 'sweep', version, target, secrets, embedded: false },
      ...{ selected: [], checks: [], documentsStatuses: ['code-hosting'] },
    })
    const client = new CodeHostingClient(
      baseUrl,
      (request) => run.send('code-hosting', request),
      () => Promise.reject(new Error('a deletion names its account')),
    )
    const accounts = { '': mainOf(codeHosting), OTHER_: other, OTP_: otp, ADMIN_: admin }
    const owners = Object.entries(accounts).flatMap(([role, account]) =>
      account === undefined ? [] : [{ ...account, variable: `CODE_HOSTING_${role}PASSWORD` }],
    )
    for (const owner of owners) redactor.addBasic(owner.username, owner.variable, owner.password)
    /** Results that stop further requests, by account; with an empty name, for all accounts. */
    const stops = new Map<string, Result>()
    const stop = (account: string, result: Result) => stops.set(account, result) && result

    async function resultOf({ name, account, unconfirmed }: CreatedResource): Promise<Result> {
      if (name === UNNAMED && unconfirmed) return { outcome: 'notCreated', reason: notCreated }
      if (name === UNNAMED) return keep(unnamed)
      const owner = owners.find(({ username }) => username === account)
      if (owner === undefined) return keep(`no variable holds the password of ${account}`)
      const stopped = stops.get(account) ?? stops.get('')
      if (stopped !== undefined) return stopped
      const token = { name, account, credentials: basic(account, owner.password) }
      const { outcome, status, error } = await deleteToken(run, codeHosting, client, token)
      if (outcome === 'deleted' || outcome === 'absent') return { outcome }
      if (outcome === 'failed') {
        const { reason, exchange } = error as Inconclusive
        const request = exchange === undefined ? `${baseUrl} did not respond` : baseUrl
        const text = reasonText(reason, () => ({ request, status: String(exchange?.status) }))
        const advice = 'Nothing more was sent: sweep again when it responds'
        return stop('', keep(redactor.redact(`${text}. ${advice}`)))
      }
      if (status !== 401) return keep(`the service returned ${status}`)
      const secret = otp?.username === account ? ' and CODE_HOSTING_OTP_SECRET' : ''
      const problem = `the service refused the credentials of ${account} (401)`
      const advice = `correct ${owner.variable}${secret}, and sweep again`
      return stop(account, { ...keep(`${problem}: ${advice}`), unauthorized: true })
    }

    return {
      sweep: async (creation) => ({ creation, ...(await resultOf(creation)) }),
      close: () => run.close(),
    }
  },
}
