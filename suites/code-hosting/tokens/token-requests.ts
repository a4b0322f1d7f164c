import {
  checkSettings,
  inconclusive,
  skip,
  skipWithoutControl,
} from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { messageOf } from '../../../lib/conformance/describe-exchange.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture, fixtureFor } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Accounts, KnownAccount } from '../accounts/accounts.ts'
import type { CodeHostingClient } from '../client.ts'
import { type TokenScope, UNRELATED_SCOPE } from '../levels.ts'
import { nearCode, oneTimeCode, staleCode, untilNextStep, wrongCode } from './one-time-code.ts'
import type { CreationOptions, TokenCreation } from './token-creation.ts'
import { rejectsCredentials, TOKEN_PRIORITY, type Tokens, tokenValue } from './tokens.ts'

type Options = Omit<CreationOptions, 'label'>
type Code = (secret: string) => string | undefined

const SCOPE = UNRELATED_SCOPE

/** Maximum number of steps in which a code is tried, so that concurrent runs can use the account. */
const MAX_STEPS = 3

/** Tolerated difference of the clocks. A later code is sent this many seconds after its step starts. */
const MIN_SECONDS_INTO_STEP = 5

/** Returns the seconds by which the server's clock is ahead; 0 without `Date`. */
function clockDifference({ headers, record }: Exchange): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? 0 : (date - Date.parse(record.startedAt)) / 1000
}

interface CreationParts {
  run: Run
  client: CodeHostingClient
  accounts: Accounts
  tokens: Tokens
  creation: TokenCreation
}

/** Requests for tokens that differ from `accepted` in one part. Each is sent once per run. */
export class Creations {
  readonly #parts: CreationParts

  constructor(parts: CreationParts) {
    this.#parts = parts
  }

  readonly accepted = () => this.#parts.tokens.creation(SCOPE)
  readonly withoutName = this.#byMain('nameless', () => ({ body: () => ({ scopes: [SCOPE] }) }))
  readonly malformed = this.#byMain('malformed', () => ({
    body: (name) => `{"name": "${name}", "scopes": ["${SCOPE}"]`,
  }))
  readonly withEmptyName = this.#byMain('empty-name', () => ({
    body: () => ({ name: '', scopes: [SCOPE] }),
  }))

  /** Requests scopes as a text instead of a list, without a name. */
  readonly withTwoInvalidFields = this.#byMain('two-invalid-fields', () => ({
    body: () => `{"scopes": "${SCOPE}"}`,
  }))

  /** Requests scopes as a text instead of a list. */
  readonly withScopesAsText = this.#byMain('scopes-as-text', () => ({
    body: (name) => `{"name": "${name}", "scopes": "${SCOPE}"}`,
  }))

  /** Sends a text after the object. */
  readonly withFurtherText = this.#byMain('further-text', () => ({
    body: (name) => `{"name": "${name}", "scopes": ["${SCOPE}"]} plumbline`,
    unused: true,
  }))

  /** Requests a number as the name. */
  readonly withNumberAsName = this.#byMain('number-as-name', () => ({
    body: () => ({ name: 1234567890, scopes: [SCOPE] }),
    unused: true,
  }))

  /** Requests a scope that is like a documented one. */
  readonly withScopeLike = fixtureFor('token creation with scope', (scope: string) =>
    this.#byMain(`scope-${scope.replaceAll(/[^a-z]+/gi, '-')}`, () => ({
      scopes: [scope],
      unused: true,
    }))(),
  )

  /** Requests two tokens of one name at the same time. */
  readonly twins = fixture('token creation twins', async () => {
    const { accounts, creation, tokens } = this.#parts
    await tokens.passwordAccepted()
    // With this priority, no other request delays the second one.
    const options = { label: 'twin', scopes: [SCOPE], priority: TOKEN_PRIORITY }
    const request = () => creation.request(accounts.main(), options)
    return allOrWorst([request(), request()])
  })

  /** Requests a number after a scope. */
  readonly withNumberAsScope = this.#byMain('number-as-scope', () => ({
    body: (name) => `{"name": "${name}", "scopes": ["${SCOPE}", 1]}`,
    unused: true,
  }))

  /** Requests an unknown scope before a known one. */
  readonly withUnknownScope = this.#byMain('unknown-scope', () => ({
    scopes: ['read:plumbline', SCOPE],
  }))

  /** Requests a name that the server rejected with an unknown scope before. */
  readonly afterRejection = this.#byMain('after-rejection', async () => {
    const rejected = await this.withUnknownScope()
    if (isSuccess(rejected)) skip('the server accepts an unknown scope')
    return {
      body: (_name, attempt) =>
        attempt === 1
          ? { name: this.#parts.tokens.nameOf(rejected), scopes: [SCOPE] }
          : skip('the response to its first request was lost, which may have taken the name'),
      unused: true,
    }
  })

  /** Requests every documented scope, and an unknown access level. */
  readonly withUnknownLevel = this.#byMain('unknown-level', () => ({
    scopes: ['all', 'plumbline:issue'],
  }))

  /** Sends the credentials of another account, once per label. */
  readonly presenting = fixtureFor(
    'token creation',
    async (label, account: KnownAccount, credentials: Credentials) =>
      this.#parts.creation.request(account, { label, scopes: [SCOPE], credentials }),
  )

  readonly withDuplicateName = this.#duplicate('duplicate', [SCOPE])
  readonly withDuplicateNameAndOtherScopes = this.#duplicate('duplicate-with-other-scopes', ['all'])

  /** Creates a token of the other account with the name of a token of the main account. */
  readonly byOtherWithSameName = fixture('token creation other account', async () => {
    const { accounts, creation, tokens } = this.#parts
    await tokens.with(SCOPE)
    return creation.request(await accounts.other(), {
      label: 'other-account',
      body: async (_name, attempt) => {
        // After a lost response the name may be taken, so another token of the main account is used.
        const another = { label: `same-name-${attempt}`, scopes: [SCOPE] }
        const token = await (attempt === 1
          ? tokens.creation(SCOPE)
          : creation.request(accounts.main(), another))
        if (!isSuccess(token)) {
          inconclusive(`the main account requested a token of that name and got ${token.status}`)
        }
        return { name: tokens.nameOf(token), scopes: ['all'] }
      },
    })
  })

  /** The value of that token, which has the scope `all`. */
  readonly tokenOfOther = async () => tokenValue(await this.byOtherWithSameName())

  readonly withoutOneTimeCode = this.#ofTwoFactor('no-one-time-code', () => undefined)
  readonly withEmptyOneTimeCode = this.#ofTwoFactor('empty-one-time-code', () => '')
  readonly withWrongOneTimeCode = this.#ofTwoFactor('wrong-one-time-code', wrongCode)
  readonly withNearOneTimeCode = this.#ofTwoFactor('near-one-time-code', (secret) => {
    const code = nearCode(secret)
    this.#parts.run.redactor.add('WRONG_ONE_TIME_CODE', code)
    return code
  })
  readonly withStaleOneTimeCode = this.#ofTwoFactor('stale-one-time-code', staleCode)

  // A server may accept each code once. Later steps are tried in case another program used the code.
  readonly withOneTimeCode = fixture('token creation one-time code', async () => {
    let creation = await this.#byTwoFactor('one-time-code', this.#ofStep(0))
    if (rejectsCredentials(creation)) await this.#requireTwoFactorAccount()
    for (let step = 2; step <= MAX_STEPS; step += 1) {
      // Server errors and redirects do not concern the code.
      if (creation.status < 400 || creation.status >= 500) break
      await this.#parts.run.wait(untilNextStep() + MIN_SECONDS_INTO_STEP * 1000)
      creation = await this.#byTwoFactor(`one-time-code-step-${step}`, this.#ofStep(0))
    }
    if (isSuccess(creation)) return creation
    const difference = clockDifference(creation)
    if (Math.abs(difference) > MIN_SECONDS_INTO_STEP) {
      const detail = `the server's clock differs from this machine's by ${Math.round(difference)} s`
      inconclusive(`${detail}, so their current codes may differ`, creation)
    }
    // Many servers also accept the codes of adjacent steps, since clocks differ.
    for (const [step, fromNow] of Object.entries({ next: 1, previous: -1 })) {
      const other = await this.#byTwoFactor(`one-time-code-of-${step}-step`, this.#ofStep(fromNow))
      if (!isSuccess(other)) continue
      const problem = `the code of the current step was rejected in ${MAX_STEPS} steps`
      const cause =
        'another program may use the codes of CODE_HOSTING_OTP_USERNAME at the same time'
      inconclusive(`${problem}, but the code of the ${step} step was accepted: ${cause}`, other)
    }
    return creation
  })

  // Sent last, since a server may accept each code once.
  readonly withOneTimeCodeAndWrongPassword = fixture(
    'token creation wrong password with code',
    async () => {
      await this.withOneTimeCode()
      const credentials = this.#parts.accounts.twoFactorWithWrongPassword()
      return this.#byTwoFactor('wrong-password-with-code', this.#ofStep(0), { credentials })
    },
  )

  #byMain(label: string, options: () => Options | Promise<Options>) {
    return fixture(`token creation ${label}`, async () => {
      const { accounts, creation, tokens } = this.#parts
      await tokens.passwordAccepted()
      return creation.request(accounts.main(), { label, scopes: [SCOPE], ...(await options()) })
    })
  }

  #duplicate(label: string, scopes: readonly TokenScope[]) {
    return this.#byMain(label, async () => {
      const first = await this.#parts.tokens.creation(SCOPE)
      if (!isSuccess(first)) {
        skipWithoutControl(`the first token of that name got status ${first.status}`, first)
      }
      return { body: () => ({ name: this.#parts.tokens.nameOf(first), scopes }) }
    })
  }

  #ofTwoFactor(label: string, code: Code) {
    return fixture(`token creation ${label}`, () => this.#byTwoFactor(label, code))
  }

  async #byTwoFactor(label: string, code: Code, options?: Partial<Options>): Promise<Exchange> {
    const account = this.#parts.accounts.twoFactor()
    const withCode = { oneTimeCode: () => code(account.secret), unused: true } as const
    return this.#parts.creation.request(account, {
      label,
      scopes: [SCOPE],
      ...withCode,
      ...options,
    })
  }

  #ofStep(fromNow: number): Code {
    return (secret) => oneTimeCode(this.#parts.run, secret, fromNow)
  }

  /**
   * Distinguishes a rejected password from a rejected code.
   *
   * @throws Inconclusive if the account cannot read its user, and a wrong password has the same response
   */
  async #requireTwoFactorAccount(): Promise<void> {
    const { accounts, client, run } = this.#parts
    const { username, credentials, secret } = accounts.twoFactor()
    const user = await client.user({ credentials })
    if (!rejectsCredentials(user)) return
    const request = { method: 'GET', path: '/api/v1/user', body: null }
    const options = { credentials, oneTimeCode: oneTimeCode(run, secret) }
    const withCode = await client.undocumented(request, options)
    if (!rejectsCredentials(withCode)) return
    const wrong = await client.user({ credentials: accounts.twoFactorWithWrongPassword() })
    if (wrong.status !== user.status || messageOf(wrong) !== messageOf(user)) return
    checkSettings(
      ['CODE_HOSTING_OTP_USERNAME', 'CODE_HOSTING_OTP_PASSWORD', 'CODE_HOSTING_OTP_SECRET'],
      `the account ${username} was refused with ${user.status}, also with a one-time code in X-Service-OTP`,
      user,
    )
  }
}
