import { anonymous } from '../../probe/credentials.ts'
import type { Exchange } from '../../probe/exchange.ts'
import { adminScopes } from '../../services/code-hosting-scopes.ts'
import { isSuccess } from '../contrast.ts'
import { fixture, fixtureFor } from '../fixture.ts'
import { inconclusive, skip } from '../outcome.ts'
import type { Run } from '../run.ts'
import type { Accounts } from './accounts.ts'
import { currentCode, staleCode, untilNextStep, wrongCode } from './one-time-code.ts'
import type { CreationOptions, TokenCreation } from './token-creation.ts'
import type { Tokens } from './tokens.ts'
import { sentAs, type WayToSend } from './ways-to-send.ts'

const SCOPE = 'read:issue'

/** Requests for tokens that differ from `accepted` in one thing each; each is sent once a run. */
export interface Creations {
  /** What the others are compared with. */
  accepted(): Promise<Exchange>
  withoutName(): Promise<Exchange>
  malformed(): Promise<Exchange>
  withUnknownScope(): Promise<Exchange>
  /** A scope of a documented category, at a level that none has. */
  withUnknownLevel(): Promise<Exchange>
  /** The name of `accepted` once more. */
  withDuplicateName(): Promise<Exchange>
  /** With a token in place of the password. */
  withToken(way: WayToSend): Promise<Exchange>
  withWrongPassword(): Promise<Exchange>
  withoutCredentials(): Promise<Exchange>
  /** The name of `accepted`, by the other account. */
  byOtherWithSameName(): Promise<Exchange>
  /** The scopes of the category `admin`, by the site admin. */
  byAdminWithAdminScopes(): Promise<Exchange>
  withOneTimeCode(): Promise<Exchange>
  withoutOneTimeCode(): Promise<Exchange>
  withWrongOneTimeCode(): Promise<Exchange>
  withStaleOneTimeCode(): Promise<Exchange>
}

/**
 * Seconds into a step before the second chance is taken, and how far apart the clocks may be for
 * its code to be the server's current one too.
 */
const SETTLED_SECONDS = 5

/** Seconds by which the server's clock is ahead of ours; 0 where it sends no `Date`. */
function clockDifference({ headers, record }: Exchange): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? 0 : (date - Date.parse(record.startedAt)) / 1000
}

export function createCreations(
  run: Run,
  accounts: Accounts,
  tokens: Tokens,
  creation: TokenCreation,
): Creations {
  function byMain(label: string, options: Omit<CreationOptions, 'label'>) {
    return fixture(`token creation ${label}`, async () => {
      await tokens.passwordAccepted()
      return creation.request(accounts.main(), { label, scopes: [SCOPE], ...options })
    })
  }

  function byTwoFactor(label: string, code: (secret: string) => string | undefined) {
    const account = accounts.twoFactor()
    return creation.request(account, {
      label,
      scopes: [SCOPE],
      oneTimeCode: code(account.secret),
      unused: true,
    })
  }

  const nameOfAccepted = tokens.nameOf(SCOPE)

  return {
    accepted: () => tokens.creation(SCOPE),
    withoutName: byMain('nameless', { body: { scopes: [SCOPE] } }),
    malformed: byMain('malformed', {
      body: `{"name": "${creation.nameOf('malformed')}", "scopes": ["${SCOPE}"]`,
    }),
    withUnknownScope: byMain('unknown-scope', { scopes: ['read:plumbline'] }),
    withUnknownLevel: byMain('unknown-level', { scopes: ['plumbline:issue'] }),
    withoutCredentials: byMain('anonymous', { credentials: anonymous }),

    withDuplicateName: fixture('token creation duplicate', async () => {
      const first = await tokens.creation(SCOPE)
      // Where the first was not made, a second one is no duplicate, and may well be accepted.
      if (!isSuccess(first)) {
        skip(`no control: the first token of that name was answered with ${first.status}`)
      }
      return creation.request(accounts.main(), {
        label: 'duplicate',
        body: { name: nameOfAccepted, scopes: [SCOPE] },
      })
    }),

    withWrongPassword: fixture('token creation wrong password', async () => {
      await tokens.passwordAccepted()
      const credentials = accounts.mainWithWrongPassword()
      return creation.request(accounts.main(), {
        label: 'wrong-password',
        scopes: [SCOPE],
        credentials,
      })
    }),

    withToken: fixtureFor('token creation', async (way: WayToSend) => {
      const credentials = sentAs[way](await tokens.working())
      return creation.request(accounts.main(), { label: way, scopes: [SCOPE], credentials })
    }),

    byOtherWithSameName: fixture('token creation other account', async () => {
      await tokens.with(SCOPE)
      return creation.request(await accounts.other(), {
        label: 'other-account',
        body: { name: nameOfAccepted, scopes: [SCOPE] },
        unused: true,
      })
    }),

    byAdminWithAdminScopes: fixture('token creation admin scopes', async () =>
      creation.request(await accounts.admin(), {
        label: 'admin-scopes',
        scopes: adminScopes,
        unused: true,
      }),
    ),

    withoutOneTimeCode: fixture('token creation without one-time code', () =>
      byTwoFactor('no-one-time-code', () => undefined),
    ),
    withWrongOneTimeCode: fixture('token creation wrong one-time code', () =>
      byTwoFactor('wrong-one-time-code', wrongCode),
    ),
    withStaleOneTimeCode: fixture('token creation stale one-time code', () =>
      byTwoFactor('stale-one-time-code', staleCode),
    ),

    // A server may take each code only once, so that another program's use of the account within the
    // same step would make a right code fail: the next step gives a second chance.
    withOneTimeCode: fixture('token creation one-time code', async () => {
      const current = (secret: string) => currentCode(run, secret)
      const first = await byTwoFactor('one-time-code', current)
      if (isSuccess(first)) return first
      await run.wait(untilNextStep() + SETTLED_SECONDS * 1000)
      const second = await byTwoFactor('one-time-code', current)
      const difference = clockDifference(second)
      if (!isSuccess(second) && Math.abs(difference) > SETTLED_SECONDS) {
        inconclusive(
          `the server's clock differs from this machine's by ${Math.round(difference)} s, ` +
            'so that the code of the current step may not be the same',
        )
      }
      return second
    }),
  }
}
