import {
  checkSettings,
  inconclusive,
  skip,
  skipWithoutControl,
} from '../../../lib/conformance/check-errors.ts'
import { displayMessage } from '../../../lib/conformance/describe-exchange.ts'
import { fixture, fixtureFor } from '../../../lib/conformance/fixture.ts'
import { bearer, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Accounts } from './accounts.ts'
import { generalScopes, type ScopeCategory, scopesExcept, type TokenScope } from './scopes.ts'
import {
  type CreationOptions,
  sendingProblem,
  type TokenCreation,
  valueIn,
} from './token-creation.ts'

/** Highest priority, since most requests depend on a token. */
const TOKEN_PRIORITY = 100

/** Returns true for 401, and for 403, the status for accounts that must change their password. */
export const rejectsCredentials = ({ status }: Exchange) => status === 401 || status === 403

/** @throws Skip if there is no value, or the value cannot be sent */
export function tokenValue(creation: Exchange): string {
  const value = creation.status < 300 ? valueIn(creation.json) : undefined
  if (value !== undefined && sendingProblem(value) === undefined) return value
  const message = displayMessage(creation)
  const reason =
    `needs a token, and its creation returned ${creation.status}` +
    `${message ? ` (${message})` : ''} and no usable value; see code-hosting/tokens/created`
  // Server errors for other tokens are not covered by that requirement.
  return creation.status >= 500 ? inconclusive(reason, creation) : skip(reason)
}

/** Returns the part of a token's name that describes its scopes. */
const labelOf = (scopes: readonly TokenScope[]) =>
  scopes.length > 4
    ? `of-${scopes.length}-scopes`
    : scopes.join('-').replaceAll(':', '-') || 'no-scope'

/** The tokens of the target. Each is created once per run, on first use. */
export interface Tokens {
  /** The value of a token with the scope `all`. */
  all(): Promise<string>
  /** Limits a wrong password to one token request. @throws Inconclusive if the password is wrong */
  passwordAccepted(): Promise<void>
  /** The value of a token with these scopes. */
  with(...scopes: TokenScope[]): Promise<string>
  /** The exchange that created a token with these scopes. */
  creation(...scopes: TokenScope[]): Promise<Exchange>
  /** The value of a token with read and write scopes of all categories except this one and `admin`. */
  withEveryCategoryExcept(category: ScopeCategory): Promise<string>
  /** The name of the token that an exchange requested. */
  nameOf(creation: Exchange): string
  /** The exchange that created a token with every scope, which is deleted after its first use. */
  creationWithEveryScope(): Promise<Exchange>
  /** The exchange that created such a token, which is deleted immediately. */
  unusedCreation(...scopes: TokenScope[]): Promise<Exchange>
  /** The exchange that created a token of the site administrator with these scopes. */
  creationByAdmin(...scopes: TokenScope[]): Promise<Exchange>
  /** The value of a token of the site administrator. */
  ofAdmin(...scopes: TokenScope[]): Promise<string>
  /** The value of a token that authenticated before its deletion. @throws Skip if it did not */
  deleted(): Promise<string>
  /** A token with the scope `all` if the service accepts one, else the password. */
  mainCredentials(): Promise<Credentials>
  /** The value of the `all` token. @throws Skip if the service rejects it as Bearer with 401 */
  working(): Promise<string>
}

export function createTokens(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  creation: TokenCreation,
): Tokens {
  const request = (
    label: string,
    scopes: readonly TokenScope[],
    options: Partial<CreationOptions> = {},
  ) => creation.request(accounts.main(), { label, scopes, priority: TOKEN_PRIORITY, ...options })

  const allCreation = fixture('token all', () => request('all', ['all']))

  const passwordAccepted = fixture('password', async () => {
    const { username, credentials } = accounts.main()
    const user = await client.user({ credentials })
    if (!rejectsCredentials(user)) return
    if (creation.blocker === undefined && !rejectsCredentials(await allCreation())) return
    const problem = `the main account ${username} was refused with ${user.status}`
    checkSettings(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'], problem, user)
  })

  const requestOnce = fixtureFor(
    'token',
    async (label, scopes: readonly TokenScope[], options?: Partial<CreationOptions>) => {
      if (target.token === undefined) await passwordAccepted()
      return label === 'all' ? allCreation() : request(label, scopes, options)
    },
  )

  const creationWith = (...scopes: TokenScope[]) => requestOnce(labelOf(scopes), scopes)

  const requestByAdmin = fixtureFor(
    'token of the administrator',
    async (label, scopes: TokenScope[]) =>
      creation.request(await accounts.admin(), { label: `admin-${label}`, scopes }),
  )

  const creationByAdmin = (...scopes: TokenScope[]) => requestByAdmin(labelOf(scopes), scopes)

  async function all(): Promise<string> {
    if (target.token === undefined) return tokenValue(await creationWith('all'))
    await suppliedCredentials(target.token)
    return target.token
  }

  const requestUser = (token: string) =>
    client.user({ credentials: bearer(token), priority: TOKEN_PRIORITY })

  const creationWithEveryScope = () =>
    requestOnce('every-scope', generalScopes, {
      unused: async (exchange) => {
        const value = valueIn(exchange.json)
        if (value !== undefined && sendingProblem(value) === undefined) await requestUser(value)
      },
    })

  async function suppliedCredentials(token: string): Promise<Credentials> {
    const user = await requestUser(token)
    const { status } = user
    if (status !== 401 && status !== 403) return bearer(token)
    const missingScope = 'the token cannot read its own user: it needs the scope all'
    const problem = status === 401 ? 'the token was refused with 401' : missingScope
    return checkSettings(['CODE_HOSTING_TOKEN'], problem, user)
  }

  return {
    all,
    passwordAccepted,
    with: async (...scopes) => tokenValue(await creationWith(...scopes)),
    creation: creationWith,
    withEveryCategoryExcept: async (category) =>
      tokenValue(
        await requestOnce(`every-category-except-${category}`, scopesExcept('admin', category)),
      ),
    nameOf: ({ request }) => JSON.parse(request.body ?? '{}').name,
    creationWithEveryScope,
    unusedCreation: (...scopes) => requestOnce(labelOf(scopes), scopes, { unused: true }),
    creationByAdmin,
    ofAdmin: async (...scopes) => tokenValue(await creationByAdmin(...scopes)),

    deleted: fixture('deleted token', async () => {
      if (target.tokenDeletePath === undefined) skip('CODE_HOSTING_TOKEN_DELETE_PATH is not set')
      const created = await creationWithEveryScope()
      const value = tokenValue(created)
      const { status } = await requestUser(value)
      const outcome = await creation.deletion(created)
      if (status === 401) skipWithoutControl('the token was refused with 401 before it was deleted')
      if (outcome !== 'deleted') skipWithoutControl('the token could not be deleted')
      return value
    }),

    mainCredentials: fixture('credentials of the main account', async () => {
      if (target.token !== undefined) return suppliedCredentials(target.token)
      if (target.password === undefined) return skipUnmetNeed('main account')
      const token = await all().catch(() => undefined)
      if (token !== undefined && !rejectsCredentials(await requestUser(token))) return bearer(token)
      await passwordAccepted()
      return accounts.main().credentials
    }),

    working: fixture('working token', async () => {
      const token = await all()
      const { status } = await requestUser(token)
      if (status === 401) {
        skip('needs a token that authenticates as Bearer; see code-hosting/authentication/bearer')
      }
      return token
    }),
  }
}
