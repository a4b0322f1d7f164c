/** The tokens of a run: their creation, once each, and their deletion at the end of a run and by the command sweep. */

import { setTimeout as delay } from 'node:timers/promises'
import {
  checkSettings,
  type Inconclusive,
  Interrupted,
  inconclusive,
  skip,
  skipWithoutControl,
} from '../../lib/conformance/check-errors.ts'
import {
  CLEAN_UP,
  createScope,
  fixture,
  fixtureFor,
  runInScope,
} from '../../lib/conformance/check-scope.ts'
import { displayStatus, messageOf } from '../../lib/conformance/deviations.ts'
import { allOrWorst } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { createRun, type Run } from '../../lib/conformance/probe-run.ts'
import {
  type RetrySettings,
  retryLostResponse,
} from '../../lib/conformance/retry-lost-responses.ts'
import { type CreatedResource, UNNAMED } from '../../lib/ledger/ledger.ts'
import type { Sweeper, Swept } from '../../lib/ledger/sweep-ledger.ts'
import {
  authorization,
  basic,
  bearer,
  type Credentials,
  queryToken,
} from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { MAX_KEPT_BODY_CHARS } from '../../lib/probe/recorder.ts'
import type { Redactor } from '../../lib/probe/redaction/redaction.ts'
import { reasonText } from '../../lib/reports/reasons.ts'
import { serviceIn } from '../service.ts'
import {
  type Accounts,
  type KnownAccount,
  mainOf,
  oneTimeCode,
  untilNextStep,
  type WrongCode,
  wrongCode,
} from './accounts.ts'
import { CodeHostingClient, TOKEN_PRIORITY, type TokenRequest } from './client.ts'
import {
  type BodyLevel,
  bodyOf,
  generalScopes,
  type TokenScope,
  UNRELATED_SCOPE,
} from './levels.ts'
import { MAX_SENT_CHARS, nameOf, rejectsCredentials, tokenValue, valueIn } from './matchers.ts'
import type { CodeHostingTarget } from './variables.ts'
import { scopeCategories, skipUnmetNeed, variablesOf } from './variables.ts'

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
const MAX_DELETION_STEPS = 6

/** Milliseconds into a step at which a deletion is sent, after the token requests of other runs. */
const DELETION_MS_INTO_STEP = 15_000

interface TokenDeletion {
  outcome: 'deleted' | 'absent' | 'rejected' | 'failed'
  /** 404 for a token that a request without a response may have deleted. */
  status?: number
  /** Status and message of a rejection. */
  text?: string
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
    let last = withoutCode
    const secret = account === otp?.username ? otp.secret : undefined
    for (let step = 1; secret !== undefined && step <= MAX_DELETION_STEPS; step += 1) {
      // The status of a request without its one-time code is not documented.
      if (last.status < 400 || last.status >= 500 || last.status === 404) break
      if (step > 1) await run.wait(untilNextStep() + DELETION_MS_INTO_STEP)
      last = await send(() => oneTimeCode(run, secret))
      // Two codes changed nothing, so the server rejects the credentials.
      const isSame =
        last.status === withoutCode.status && messageOf(last) === messageOf(withoutCode)
      if (step > 1 && isSame) break
    }
    const { status } = last
    if (status === 404) return { outcome: isLost ? 'deleted' : 'absent', status }
    if (isSuccess(last)) return { outcome: 'deleted', status }
    return { outcome: 'rejected', status, text: displayStatus(last) }
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
      const deletion = await deleteToken(run, codeHosting, client, token)
      const { outcome, status, error } = deletion
      if (outcome === 'deleted' || outcome === 'absent') return { outcome }
      if (outcome === 'failed') {
        const { reason, exchange } = error as Inconclusive
        const request = exchange === undefined ? `${baseUrl} did not respond` : baseUrl
        const text = reasonText(reason, () => ({ request, status: String(exchange?.status) }))
        const advice = 'Nothing more was sent: sweep again when it responds'
        return stop('', keep(redactor.redact(`${text}. ${advice}`)))
      }
      if (status !== 401) return keep(redactor.redact(`the service returned ${deletion.text}`))
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

export type Tokens = ReturnType<typeof createTokens>
type Options = Omit<CreationOptions, 'label'>
/** Code of a creation by the account with two-factor authentication. */
export type CodeKind = 'none' | 'empty' | WrongCode | 'with a wrong password'

/** Maximum number of steps in which a code is tried, so that concurrent runs can use the account. */
const MAX_STEPS = 3

/** Tolerated difference of the clocks. A later code is sent this long after its step starts. */
const MIN_MS_INTO_STEP = 5000

/** Returns the milliseconds by which the server's clock is ahead; 0 without `Date`. */
const clockDifference = ({ headers, record }: Exchange) =>
  Date.parse(headers.get('date') ?? '') - Date.parse(record.startedAt) || 0

/** Returns the part of a token's name that describes its scopes. */
function labelOf(scopes: readonly TokenScope[]): string {
  const others = scopeCategories.filter((category) => !scopes.includes(`read:${category}`))
  const label = scopes.length > 4 ? `except-${others.join('-')}` : scopes.join('-')
  return label.replaceAll(':', '-') || 'no-scope'
}

/** Returns a token with each deprecated scheme that the server accepts by its configuration. */
const deprecatedCredentials = ({ settings }: CodeHostingTarget, token: string): Credentials[] => [
  ...(settings.allowLegacyTokenScheme ? [authorization('token', token)] : []),
  ...(settings.disableQueryAuthToken ? [] : [queryToken('token', token)]),
]

/** The tokens of the target. Each is created once per run, on first use. */
export function createTokens(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  creation: TokenCreation,
) {
  const user = (token: string) =>
    client.user({ credentials: bearer(token), priority: TOKEN_PRIORITY })
  const request = fixtureFor(
    'token',
    async (label: string, options: Options, owner: KnownAccount) =>
      creation.request(owner, { label, priority: TOKEN_PRIORITY, ...options }),
  )
  const requestByMain = async (label: string, options: Options): Promise<Exchange> =>
    request(label, options, target.token === undefined ? await tokens.main() : accounts.main())

  async function suppliedCredentials(token: string): Promise<Credentials> {
    const record = await user(token)
    if (!rejectsCredentials(record)) return bearer(token)
    const missingScope = 'the token cannot read its own user: it needs the scope all'
    const problem = record.status === 401 ? 'the token was refused with 401' : missingScope
    return checkSettings(['CODE_HOSTING_TOKEN'], problem, record)
  }

  const tokens = {
    /** The main account; a wrong password is sent in one token request. @throws Inconclusive if the password is wrong */
    main: fixture('password', async (): Promise<KnownAccount> => {
      const account = accounts.main()
      const record = await client.user({ credentials: account.credentials })
      if (!rejectsCredentials(record)) return account
      const isTried = creation.blocker === undefined
      const create = () => request('all', { scopes: ['all'] }, account)
      if (isTried && !rejectsCredentials(await create())) return account
      const problem = `the main account ${account.username} was refused with ${record.status}`
      checkSettings(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'], problem, record)
    }),

    /** The exchanges that created tokens, and their values. */
    creation: (...scopes: TokenScope[]) => requestByMain(labelOf(scopes), { scopes }),
    unusedCreation: (...scopes: TokenScope[]) =>
      requestByMain(labelOf(scopes), { scopes, unused: true }),
    creationByAdmin: async (...scopes: TokenScope[]) =>
      request(`admin-${labelOf(scopes)}`, { scopes }, await accounts.admin()),
    with: async (...scopes: TokenScope[]) => tokenValue(await tokens.creation(...scopes)),

    async all(): Promise<string> {
      if (target.token === undefined) return tokens.with('all')
      await suppliedCredentials(target.token)
      return target.token
    },

    /** The exchange that created a token with every scope, which is deleted after its first use. */
    creationWithEveryScope: () =>
      requestByMain('every-scope', {
        scopes: generalScopes,
        unused: async (created) => user(tokenValue(created)),
      }),

    /** Returns true for the value of a token that exists while checks run. */
    isValid(value: string): boolean {
      const issued = creation.issued.find((one) => one.value === value)
      return target.token === value || (issued && !creation.deletions.has(issued.exchange)) === true
    },

    /** The value of a token that authenticated before its deletion. @throws Skip if it did not */
    deleted: fixture('deleted token', async (): Promise<string> => {
      if (target.tokenDeletePath === undefined) skip('CODE_HOSTING_TOKEN_DELETE_PATH is not set')
      const created = await tokens.creationWithEveryScope()
      const value = tokenValue(created)
      const { status } = await user(value)
      const outcome = await creation.deletions.get(created.id)
      if (status === 401) skipWithoutControl('the token was refused with 401 before it was deleted')
      if (outcome !== 'deleted') skipWithoutControl('the token could not be deleted')
      return value
    }),

    /** A token with the scope `all` if the service accepts it as Bearer, else the password, else that token by a deprecated scheme. */
    mainCredentials: fixture('credentials of the main account', async (): Promise<Credentials> => {
      if (target.token !== undefined) return suppliedCredentials(target.token)
      if (target.password === undefined) return skipUnmetNeed('main account')
      const { credentials } = await tokens.main()
      const token = await tokens.all().catch(() => undefined)
      const byToken =
        token === undefined ? [] : [bearer(token), ...deprecatedCredentials(target, token)]
      for (const one of byToken.toSpliced(1, 0, credentials)) {
        const options = { credentials: one, priority: TOKEN_PRIORITY }
        if (!rejectsCredentials(await client.user(options))) return one
      }
      return credentials
    }),

    /** The value of the `all` token. @throws Skip if the service rejects it as Bearer with 401 */
    working: fixture('working token', async (): Promise<string> => {
      const token = await tokens.all()
      if ((await user(token)).status !== 401) return token
      const see = 'see code-hosting/authentication/bearer'
      return skip(`needs a token that authenticates as Bearer; ${see}`)
    }),

    /** Returns the user record by the first scheme that authenticates a token, else the 401 to Bearer. */
    async userOf(token: string): Promise<Exchange> {
      const rejection = await client.user({ credentials: bearer(token) })
      const isRejected = rejection.status === 401
      for (const credentials of isRejected ? deprecatedCredentials(target, token) : []) {
        const record = await client.user({ credentials })
        if (record.status !== 401) return record
      }
      return rejection
    },
  }
  return tokens
}

export type Creations = ReturnType<typeof createCreations>

/** Requests for tokens that differ from `accepted` in one part. Each is sent once per run. */
export function createCreations(
  run: Run,
  client: CodeHostingClient,
  accounts: Accounts,
  creation: TokenCreation,
  tokens: Tokens,
) {
  const scopes = [UNRELATED_SCOPE]

  const send = async (label: string, options: Options, by = tokens.main) =>
    creation.request(await by(), { label, scopes, ...options })

  /** Requests a token of the account with two-factor authentication. */
  async function sendWith(
    code: (secret: string) => string | undefined,
    label: string,
    options: Options = {},
  ): Promise<Exchange> {
    const { secret, ...account } = accounts.twoFactor()
    const oneTimeCode = () => code(secret)
    return creation.request(account, { label, scopes, unused: true, oneTimeCode, ...options })
  }

  const accepted = () => tokens.creation(UNRELATED_SCOPE)
  async function takenName(request: () => Promise<Exchange>): Promise<string> {
    const first = await request()
    if (isSuccess(first)) return nameOf(first)
    return skipWithoutControl(`the first token of that name got status ${first.status}`, first)
  }

  /** Distinguishes a rejected password from a rejected code. @throws Inconclusive if the password may be wrong */
  async function requireTwoFactorAccount(): Promise<void> {
    const account = accounts.twoFactor()
    const { username, credentials, secret } = account
    const user = await client.user({ credentials })
    if (!rejectsCredentials(user)) return
    const request = { method: 'GET', path: '/api/v1/user', body: null }
    const options = { credentials, oneTimeCode: oneTimeCode(run, secret) }
    if (!rejectsCredentials(await client.undocumented(request, options))) return
    const wrong = await client.user({ credentials: accounts.withWrongPassword(account) })
    if (wrong.status !== user.status || messageOf(wrong) !== messageOf(user)) return
    const problem = `the account ${username} was refused with ${user.status}`
    const detail = `${problem}, also with a one-time code in X-Service-OTP`
    checkSettings(variablesOf('otp'), detail, user)
  }

  const sendWithCode = (label: string, fromNow = 0, options?: Options) =>
    sendWith((secret) => oneTimeCode(run, secret, fromNow), label, options)

  // A server may accept each code once. Later steps are tried in case another program used the code.
  const withOneTimeCode = fixture('token creation one-time code', async (): Promise<Exchange> => {
    let current = await sendWithCode('one-time-code')
    if (rejectsCredentials(current)) await requireTwoFactorAccount()
    for (let step = 2; step <= MAX_STEPS; step += 1) {
      // Server errors and redirects do not concern the code.
      if (current.status < 400 || current.status >= 500) break
      await run.wait(untilNextStep() + MIN_MS_INTO_STEP)
      current = await sendWithCode(`one-time-code-step-${step}`)
    }
    if (isSuccess(current)) return current
    const difference = clockDifference(current)
    if (Math.abs(difference) > MIN_MS_INTO_STEP) {
      const seconds = Math.round(difference / 1000)
      const clocks = `the server's clock differs from this machine's by ${seconds} s`
      inconclusive(`${clocks}, so their current codes may differ`, current)
    }
    // Many servers also accept the codes of adjacent steps, since clocks differ.
    for (const [step, fromNow] of Object.entries({ next: 1, previous: -1 })) {
      const other = await sendWithCode(`one-time-code-of-${step}-step`, fromNow)
      if (!isSuccess(other)) continue
      const problem = `the code of the current step was rejected in ${MAX_STEPS} steps`
      const cause = 'another program may use the codes of CODE_HOSTING_OTP_USERNAME'
      inconclusive(`${problem}, but the code of the ${step} step was accepted: ${cause}`, other)
    }
    return current
  })

  const withBody = fixtureFor('token creation with', async (level: BodyLevel) => {
    const isTaken = level.startsWith('taken')
    const taken = isTaken ? await takenName(accepted) : ''
    const body = (name: string) => bodyOf(level)(name, taken)
    const label = `with-${level.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
    // A token of a taken name must stay: its name belongs to another.
    return send(label, isTaken ? { body } : { body, unused: true })
  })

  /** Creates a token of the other account with the name of a token of the main account. */
  const byOtherWithSameName = fixture('token creation by other with same name', () =>
    send(
      'by-other-with-same-name',
      {
        async body(_name, attempt) {
          await tokens.with(UNRELATED_SCOPE)
          // After a lost response the name may be taken, so another token of the main account is used.
          const another = () => send(`same-name-${attempt}`, {})
          return { name: await takenName(attempt === 1 ? accepted : another), scopes: ['all'] }
        },
      },
      accounts.other,
    ),
  )

  return {
    accepted,
    withOneTimeCode,
    withBody,
    byOtherWithSameName,
    /** Requests a name that the server rejected with an unknown scope before. */
    afterRejection: fixture('token creation after rejection', () =>
      send('after-rejection', {
        unused: true,
        async body(_name, attempt) {
          const rejected = await withBody('unknown scope')
          if (isSuccess(rejected)) skip('the server accepts an unknown scope')
          if (attempt === 1) return { name: nameOf(rejected), scopes }
          return skip('the response to its first request was lost, which may have taken the name')
        },
      }),
    ),
    /** Sends no code, an empty code, a wrong code, or the current code and a wrong password. */
    withCode: fixtureFor('token creation with code', async (kind: CodeKind) => {
      if (kind === 'none') return sendWith(() => undefined, 'no-code')
      if (kind === 'empty') return sendWith(() => '', 'empty-code')
      if (kind !== 'with a wrong password')
        return sendWith((secret) => wrongCode(run, secret, kind), `${kind}-code`)
      // Sent last, since a server may accept each code once.
      await withOneTimeCode()
      const credentials = accounts.withWrongPassword(accounts.twoFactor())
      return sendWithCode('wrong-password-with-code', 0, { credentials })
    }),
    /** The value of a token with the scope `all`. */
    tokenOfOther: async () => tokenValue(await byOtherWithSameName()),
    /** Sends these credentials instead of the password of the main account, once per label. */
    presenting: fixtureFor(
      'token creation',
      (label: string, credentials: Credentials, sudo?: Options['sudo']) =>
        send(label, { credentials, sudo }),
    ),

    /** Requests two tokens of one name at the same time. With this priority, no other request delays the second one. */
    twins: fixture('token creation twins', async () => {
      const request = () => send('twin', { priority: TOKEN_PRIORITY })
      return allOrWorst([request(), request()])
    }),
  }
}
