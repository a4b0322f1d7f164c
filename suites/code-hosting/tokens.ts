/** The tokens of a run, and the requests for tokens that differ in one part. Each is sent once. */
import {
  checkSettings,
  inconclusive,
  skip,
  skipWithoutControl,
} from '../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { messageOf } from '../../lib/conformance/describe-exchange.ts'
import { allOrWorst } from '../../lib/conformance/each.ts'
import { fixture, fixtureFor } from '../../lib/conformance/fixture.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { authorization, bearer, type Credentials, queryToken } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import {
  type Accounts,
  type KnownAccount,
  oneTimeCode,
  untilNextStep,
  wrongCode,
} from './accounts.ts'
import type { CodeHostingClient } from './client.ts'
import { TOKEN_PRIORITY } from './client.ts'
import { generalScopes, scopesExcept, type TokenScope, UNRELATED_SCOPE } from './levels.ts'
import { type ScopeCategory, scopeCategories, skipUnmetNeed } from './needs.ts'
import { rejectsCredentials, tokenValue } from './responses.ts'
import type { CreationOptions, TokenCreation } from './token-creation.ts'
import type { CodeHostingTarget } from './variables.ts'

export type Tokens = ReturnType<typeof createTokens>
type Options = Omit<CreationOptions, 'label'>
interface Row extends Options {
  /** Defaults to the main account, once its password is accepted. */
  by?: () => Promise<KnownAccount>
  /** One-time code for the account with two-factor authentication, which then requests the token. */
  code?: (secret: string) => string | undefined
}

/** Maximum number of steps in which a code is tried, so that concurrent runs can use the account. */
const MAX_STEPS = 3

/** Tolerated difference of the clocks. A later code is sent this long after its step starts. */
const MIN_MS_INTO_STEP = 5000

const SCOPE = UNRELATED_SCOPE

/** Returns the milliseconds by which the server's clock is ahead; 0 without `Date`. */
const clockDifference = ({ headers, record }: Exchange) =>
  Date.parse(headers.get('date') ?? '') - Date.parse(record.startedAt) || 0

const nameOf = ({ request }: Exchange): string => JSON.parse(request.body ?? '{}').name

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
    async (label, options: Options, owner: KnownAccount = accounts.main()) =>
      creation.request(owner, { label, priority: TOKEN_PRIORITY, ...options }),
  )
  async function requestByMain(label: string, options: Options): Promise<Exchange> {
    if (target.token === undefined) await tokens.passwordAccepted()
    return request(label, options)
  }

  async function suppliedCredentials(token: string): Promise<Credentials> {
    const record = await user(token)
    if (!rejectsCredentials(record)) return bearer(token)
    const missingScope = 'the token cannot read its own user: it needs the scope all'
    const problem = record.status === 401 ? 'the token was refused with 401' : missingScope
    return checkSettings(['CODE_HOSTING_TOKEN'], problem, record)
  }

  const tokens = {
    nameOf,
    /** Limits a wrong password to one token request. @throws Inconclusive if the password is wrong */
    passwordAccepted: fixture('password', async (): Promise<void> => {
      const { username, credentials } = accounts.main()
      const record = await client.user({ credentials })
      if (!rejectsCredentials(record)) return
      const isTried = creation.blocker === undefined
      if (isTried && !rejectsCredentials(await request('all', { scopes: ['all'] }))) return
      const problem = `the main account ${username} was refused with ${record.status}`
      checkSettings(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'], problem, record)
    }),

    /** The exchanges that created tokens, and their values. */
    creation: (...scopes: TokenScope[]) => requestByMain(labelOf(scopes), { scopes }),
    unusedCreation: (...scopes: TokenScope[]) =>
      requestByMain(labelOf(scopes), { scopes, unused: true }),
    creationByAdmin: async (...scopes: TokenScope[]) =>
      request(`admin-${labelOf(scopes)}`, { scopes }, await accounts.admin()),
    with: async (...scopes: TokenScope[]) => tokenValue(await tokens.creation(...scopes)),
    ofAdmin: async (...scopes: TokenScope[]) => tokenValue(await tokens.creationByAdmin(...scopes)),

    async all(): Promise<string> {
      if (target.token === undefined) return tokens.with('all')
      await suppliedCredentials(target.token)
      return target.token
    },

    /** The value of a token that also lacks the scopes of `admin`. */
    withEveryCategoryExcept: (category: ScopeCategory) =>
      tokens.with(...scopesExcept('admin', category)),
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
      await tokens.passwordAccepted()
      const { credentials } = accounts.main()
      const token = await tokens.all().catch(() => undefined)
      const [first, ...others] =
        token === undefined ? [] : [bearer(token), ...deprecatedCredentials(target, token)]
      for (const one of [...(first ? [first] : []), credentials, ...others]) {
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
  const scopes = [SCOPE]

  async function send(label: string, { by, code, ...options }: Row): Promise<Exchange> {
    const parts = { label, scopes, ...options }
    if (code !== undefined) {
      const { secret, ...account } = accounts.twoFactor()
      return creation.request(account, { ...parts, unused: true, oneTimeCode: () => code(secret) })
    }
    if (by === undefined) await tokens.passwordAccepted()
    return creation.request((await by?.()) ?? accounts.main(), parts)
  }

  /** Returns a function for each row that sends its request once. */
  const once = <Name extends string>(rows: Record<Name, Row>) =>
    Object.fromEntries(
      Object.entries<Row>(rows).map(([name, row]) => {
        const label = name.replace(/^with(?=[A-Z])/, '').replaceAll(/(?<=.)[A-Z]/g, '-$&')
        return [name, fixture(`token creation ${name}`, () => send(label.toLowerCase(), row))]
      }),
    ) as Record<Name, () => Promise<Exchange>>

  const accepted = () => tokens.creation(SCOPE)
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
    const variables = ['USERNAME', 'PASSWORD', 'SECRET'].map((name) => `CODE_HOSTING_OTP_${name}`)
    const problem = `the account ${username} was refused with ${user.status}`
    checkSettings(variables, `${problem}, also with a one-time code in X-Service-OTP`, user)
  }

  const sendWithCode = (label: string, fromNow = 0, options?: Options) =>
    send(label, { code: (secret) => oneTimeCode(run, secret, fromNow), ...options })

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

  const first = once({
    withoutName: { body: () => ({ scopes }) },
    withEmptyName: { body: () => ({ name: '', scopes }) },
    withNumberAsName: { body: () => ({ name: 1234567890, scopes }), unused: true },
    malformed: { body: (name) => `{"name": "${name}", "scopes": ["${SCOPE}"]` },
    withFurtherText: { body: (name) => `${JSON.stringify({ name, scopes })} text`, unused: true },
    withScopesAsText: { body: (name) => ({ name, scopes: SCOPE }) },
    withTwoInvalidFields: { body: () => ({ scopes: SCOPE }) },
    withNumberAsScope: { body: (name) => ({ name, scopes: [SCOPE, 1] }), unused: true },
    withUnknownScope: { scopes: ['read:plumbline', SCOPE] },
    withUnknownLevel: { scopes: ['all', 'plumbline:issue'] },
    withoutOneTimeCode: { code: () => undefined },
    withEmptyOneTimeCode: { code: () => '' },
    withWrongOneTimeCode: { code: (secret) => wrongCode(run, secret, 'invented') },
    withNearOneTimeCode: { code: (secret) => wrongCode(run, secret, 'near') },
    withStaleOneTimeCode: { code: (secret) => wrongCode(run, secret, 'stale') },
  })
  const duplicate = (scopes: readonly string[]): Row => ({
    body: async () => ({ name: await takenName(accepted), scopes }),
  })
  const further = once({
    withDuplicateName: duplicate(scopes),
    withDuplicateNameAndOtherScopes: duplicate(['all']),
    /** Creates a token of the other account with the name of a token of the main account. */
    byOtherWithSameName: {
      by: accounts.other,
      async body(_name, attempt) {
        await tokens.with(SCOPE)
        // After a lost response the name may be taken, so another token of the main account is used.
        const another = () => send(`same-name-${attempt}`, {})
        return { name: await takenName(attempt === 1 ? accepted : another), scopes: ['all'] }
      },
    },
    /** Requests a name that the server rejected with an unknown scope before. */
    afterRejection: {
      unused: true,
      async body(_name, attempt) {
        const rejected = await first.withUnknownScope()
        if (isSuccess(rejected)) skip('the server accepts an unknown scope')
        if (attempt === 1) return { name: nameOf(rejected), scopes }
        return skip('the response to its first request was lost, which may have taken the name')
      },
    },
  })

  return {
    ...first,
    ...further,
    accepted,
    withOneTimeCode,
    /** The value of a token with the scope `all`. */
    tokenOfOther: async () => tokenValue(await further.byOtherWithSameName()),
    /** Sends its code last, since a server may accept each code once. */
    withOneTimeCodeAndWrongPassword: fixture('token creation wrong password', async () => {
      await withOneTimeCode()
      const credentials = accounts.withWrongPassword(accounts.twoFactor())
      return sendWithCode('wrong-password-with-code', 0, { credentials })
    }),

    withScopeLike: fixtureFor('token creation with scope', (scope: string) =>
      send(`scope-${scope.replaceAll(/[^a-z]+/gi, '-')}`, { scopes: [scope], unused: true }),
    ),
    /** Sends these credentials instead of the password of the main account, once per label. */
    presenting: fixtureFor(
      'token creation',
      (label, credentials: Credentials, sudo?: Options['sudo']) =>
        send(label, { credentials, sudo }),
    ),

    /** Requests two tokens of one name at the same time. With this priority, no other request delays the second one. */
    twins: fixture('token creation twins', async () => {
      const request = () => send('twin', { priority: TOKEN_PRIORITY })
      return allOrWorst([request(), request()])
    }),
  }
}
