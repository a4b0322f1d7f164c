import {
  checkSettings,
  inconclusive,
  skipWithoutControl,
} from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { messageOf } from '../../../lib/conformance/describe-exchange.ts'
import { fixture, fixtureFor } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import type { Accounts, KnownAccount } from './accounts.ts'
import { oneTimeCode, staleCode, untilNextStep, wrongCode } from './one-time-code.ts'
import { type Scope, UNRELATED_SCOPE } from './scopes.ts'
import type { CreationOptions, TokenCreation } from './token-creation.ts'
import { refusesCredentials, type Tokens, tokenValue } from './tokens.ts'

type Options = Omit<CreationOptions, 'label'>
type Code = (secret: string) => string | undefined

const SCOPE = UNRELATED_SCOPE

/** Steps in which a code is tried: as many runs may use the account at the same time. */
const MOST_STEPS = 3

/** Seconds into a step before its code is tried, so that clocks may be as far apart. */
const SETTLED_SECONDS = 5

/** Seconds by which the server's clock is ahead of ours; 0 where it sends no `Date`. */
function clockDifference({ headers, record }: Exchange): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? 0 : (date - Date.parse(record.startedAt)) / 1000
}

export type Creations = ReturnType<typeof createCreations>

/** Requests for tokens that differ from `accepted` in one thing each; each is sent once a run. */
export function createCreations(
  run: Run,
  client: CodeHostingClient,
  accounts: Accounts,
  tokens: Tokens,
  creation: TokenCreation,
) {
  const byMain = (label: string, options: () => Options | Promise<Options>) =>
    fixture(`token creation ${label}`, async () => {
      await tokens.passwordAccepted()
      return creation.request(accounts.main(), { label, scopes: [SCOPE], ...(await options()) })
    })

  /**
   * A refused password looks like a refused code. The account is known where it can read its own user,
   * with or without a code, and its password is where another one is refused in other words.
   */
  async function requireTwoFactorAccount(): Promise<void> {
    const { username, credentials, secret } = accounts.twoFactor()
    const user = await client.user({ credentials })
    if (!refusesCredentials(user)) return
    const request = { method: 'GET', path: '/api/v1/user', body: null }
    const options = { credentials, oneTimeCode: oneTimeCode(run, secret) }
    const withCode = await client.undocumented(request, options)
    if (!refusesCredentials(withCode)) return
    const wrong = await client.user({ credentials: accounts.twoFactorWithWrongPassword() })
    if (wrong.status !== user.status || messageOf(wrong) !== messageOf(user)) return
    checkSettings(
      ['CODE_HOSTING_OTP_USERNAME', 'CODE_HOSTING_OTP_PASSWORD', 'CODE_HOSTING_OTP_SECRET'],
      `the account ${username} was refused with ${user.status}, with a one-time code in X-Service-OTP too`,
      user,
    )
  }

  async function byTwoFactor(label: string, code: Code, options?: Partial<Options>) {
    const account = accounts.twoFactor()
    const withCode = { oneTimeCode: () => code(account.secret), unused: true } as const
    return creation.request(account, { label, scopes: [SCOPE], ...withCode, ...options })
  }

  const ofStep = (fromNow: number) => (secret: string) => oneTimeCode(run, secret, fromNow)

  const ofTwoFactor = (label: string, code: Code) =>
    fixture(`token creation ${label}`, () => byTwoFactor(label, code))

  const duplicate = (label: string, scopes: readonly Scope[]) =>
    byMain(label, async () => {
      const first = await tokens.creation(SCOPE)
      // Where the first was not made, a second one is no duplicate, and may well be accepted.
      if (!isSuccess(first)) {
        skipWithoutControl(`the first token of that name was answered with ${first.status}`, first)
      }
      return { body: () => ({ name: tokens.nameOf(first), scopes }) }
    })

  const byOtherWithSameName = fixture('token creation other account', async () => {
    await tokens.with(SCOPE)
    return creation.request(await accounts.other(), {
      label: 'other-account',
      async body(_name, attempt) {
        // Where an answer was lost, the account may have the first name: another one of main's.
        const another = { label: `same-name-${attempt}`, scopes: [SCOPE] }
        const token = await (attempt === 1
          ? tokens.creation(SCOPE)
          : creation.request(accounts.main(), another))
        if (!isSuccess(token)) {
          inconclusive(`the main account asked for a token of that name and got ${token.status}`)
        }
        return { name: tokens.nameOf(token), scopes: ['all'] }
      },
    })
  })

  // A server may take each code only once, so that another program's use of the account within the
  // same step would make a right code fail: the next steps give further chances.
  const withOneTimeCode = fixture('token creation one-time code', async () => {
    let creation = await byTwoFactor('one-time-code', ofStep(0))
    if (refusesCredentials(creation)) await requireTwoFactorAccount()
    for (let step = 2; step <= MOST_STEPS; step += 1) {
      // A server that has trouble, or sends the client away, refuses no code.
      if (creation.status < 400 || creation.status >= 500) break
      await run.wait(untilNextStep() + SETTLED_SECONDS * 1000)
      creation = await byTwoFactor(`one-time-code-step-${step}`, ofStep(0))
    }
    if (isSuccess(creation)) return creation
    const difference = clockDifference(creation)
    if (Math.abs(difference) > SETTLED_SECONDS) {
      const differs = `the server's clock differs from this machine's by ${Math.round(difference)} s`
      inconclusive(`${differs}, so that the code of the current step may not be the same`, creation)
    }
    // Many servers take the codes of the steps next to the current one too, since clocks differ.
    for (const [step, fromNow] of Object.entries({ next: 1, previous: -1 })) {
      const other = await byTwoFactor(`one-time-code-of-${step}-step`, ofStep(fromNow))
      if (!isSuccess(other)) continue
      const refused = `the code of the current step was refused in ${MOST_STEPS} steps`
      const cause =
        'something else may use up the codes of CODE_HOSTING_OTP_USERNAME at the same time'
      inconclusive(`${refused}, and that of the ${step} one accepted: ${cause}`, other)
    }
    return creation
  })

  return {
    accepted: () => tokens.creation(SCOPE),
    withoutName: byMain('nameless', () => ({ body: () => ({ scopes: [SCOPE] }) })),
    malformed: byMain('malformed', () => ({
      body: (name) => `{"name": "${name}", "scopes": ["${SCOPE}"]`,
    })),
    withUnknownScope: byMain('unknown-scope', () => ({ scopes: ['read:plumbline'] })),
    /** A known scope, and one of its category at a level that none has. */
    withUnknownLevel: byMain('unknown-level', () => ({ scopes: [SCOPE, 'plumbline:issue'] })),

    /** Sends other credentials than those of the account, once for each label. */
    presenting: fixtureFor(
      'token creation',
      async (label, account: KnownAccount, credentials: Credentials) =>
        creation.request(account, { label, scopes: [SCOPE], credentials }),
    ),

    withDuplicateName: duplicate('duplicate', [SCOPE]),
    withDuplicateNameAndOtherScopes: duplicate('duplicate-with-other-scopes', ['read:package']),

    /** The other account's token, which has a name that one of the main account has. */
    byOtherWithSameName,
    /** The value of that token, which has the scope `all`. */
    tokenOfOther: async () => tokenValue(await byOtherWithSameName()),

    withoutOneTimeCode: ofTwoFactor('no-one-time-code', () => undefined),
    withWrongOneTimeCode: ofTwoFactor('wrong-one-time-code', wrongCode),
    withStaleOneTimeCode: ofTwoFactor('stale-one-time-code', staleCode),

    withOneTimeCode,

    // After the accepted one, because a server may accept each code only once.
    withOneTimeCodeAndWrongPassword: fixture(
      'token creation wrong password with code',
      async () => {
        await withOneTimeCode()
        const credentials = accounts.twoFactorWithWrongPassword()
        return byTwoFactor('wrong-password-with-code', ofStep(0), { credentials })
      },
    ),
  }
}
