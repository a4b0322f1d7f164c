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
import { needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Accounts } from './accounts.ts'
import { generalScopes, type Scope, type ScopeCategory, scopesExcept } from './scopes.ts'
import {
  type CreationOptions,
  sendingProblem,
  type TokenCreation,
  valueIn,
} from './token-creation.ts'

/** Without tokens most of the run stands still: they are asked for before all else. */
const TOKEN_PRIORITY = 100

/** 403 is that of an account which may do nothing until its password is changed, or not at all. */
export const refusesCredentials = ({ status }: Exchange) => status === 401 || status === 403

/** @throws Skip for a value that is not there, or that nothing can be sent with */
export function tokenValue(creation: Exchange): string {
  const value = creation.status < 300 ? valueIn(creation.json) : undefined
  if (value !== undefined && sendingProblem(value) === undefined) return value
  const message = displayMessage(creation)
  const reason =
    `needs a token, and asking for one was answered with ${creation.status}` +
    `${message ? ` (${message})` : ''} and no value that can be sent; see code-hosting/tokens/created`
  // That requirement is about one token. An error that met another one must not leave a run green.
  return creation.status >= 500 ? inconclusive(reason, creation) : skip(reason)
}

/** Returns the part of a token's name that stands for its scopes. */
const labelOf = (scopes: readonly Scope[]) =>
  scopes.length > 4
    ? `of-${scopes.length}-scopes`
    : scopes.join('-').replaceAll(':', '-') || 'no-scope'

export type Tokens = ReturnType<typeof createTokens>

/** The tokens of the main account, each made once a run when the first check asks for it. */
export function createTokens(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  creation: TokenCreation,
) {
  const request = (
    label: string,
    scopes: readonly Scope[],
    options: Partial<CreationOptions> = {},
  ) => creation.request(accounts.main(), { label, scopes, priority: TOKEN_PRIORITY, ...options })

  const allCreation = fixture('token all', () => request('all', ['all']))

  /** @throws Inconclusive for a wrong password, with which one token is asked for and not a dozen */
  const passwordAccepted = fixture('password', async () => {
    const { username, credentials } = accounts.main()
    const user = await client.user({ credentials })
    if (!refusesCredentials(user)) return
    if (creation.obstacle === undefined && !refusesCredentials(await allCreation())) return
    const refused = `the main account ${username} was refused with ${user.status}`
    checkSettings(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'], refused, user)
  })

  const made = fixtureFor(
    'token',
    async (label, scopes: readonly Scope[], options?: Partial<CreationOptions>) => {
      if (target.token === undefined) await passwordAccepted()
      return label === 'all' ? allCreation() : request(label, scopes, options)
    },
  )

  /** The exchange that asked for a token with these scopes. */
  const creationWith = (...scopes: Scope[]) => made(labelOf(scopes), scopes)

  const madeByAdmin = fixtureFor('token of the administrator', async (label, scopes: Scope[]) =>
    creation.request(await accounts.admin(), { label: `admin-${label}`, scopes }),
  )

  const creationByAdmin = (...scopes: Scope[]) => madeByAdmin(labelOf(scopes), scopes)

  async function all(): Promise<string> {
    if (target.token === undefined) return tokenValue(await creationWith('all'))
    await givenCredentials(target.token)
    return target.token
  }

  const takesBearer = (token: string) =>
    client.user({ credentials: bearer(token), priority: TOKEN_PRIORITY })

  const creationWithEveryScope = () =>
    made('every-scope', generalScopes, {
      unused: async (exchange) => {
        const value = valueIn(exchange.json)
        if (value !== undefined && sendingProblem(value) === undefined) await takesBearer(value)
      },
    })

  async function givenCredentials(token: string): Promise<Credentials> {
    const user = await takesBearer(token)
    const { status } = user
    if (status !== 401 && status !== 403) return bearer(token)
    const lacking = 'the token may not read its own user, and needs the scope all'
    const problem = status === 401 ? 'the token was refused with 401' : lacking
    return checkSettings(['CODE_HOSTING_TOKEN'], problem, user)
  }

  return {
    /** The value of a token with the scope `all`. */
    all,
    passwordAccepted,
    /** The value of a token with these scopes. */
    with: async (...scopes: Scope[]) => tokenValue(await creationWith(...scopes)),
    /** The exchange that made a token with these scopes. */
    creation: creationWith,
    /** The value of one with every category at write level, except this one and `admin`. */
    withEveryCategoryExcept: async (category: ScopeCategory) =>
      tokenValue(await made(`every-category-except-${category}`, scopesExcept('admin', category))),
    /** The name of the token that an exchange asked for. */
    nameOf: ({ request }: Exchange): string => JSON.parse(request.body ?? '{}').name,
    creationWithEveryScope,
    /** The exchange that created such a token, which is deleted immediately. */
    unusedCreation: (...scopes: Scope[]) => made(labelOf(scopes), scopes, { unused: true }),
    /** The exchange that created a token of the site administrator with these scopes. */
    creationByAdmin,
    /** The value of a token of the site administrator. */
    ofAdmin: async (...scopes: Scope[]) => tokenValue(await creationByAdmin(...scopes)),

    /** The value of a token that authenticated before its deletion. @throws Skip if it did not */
    deleted: fixture('deleted token', async () => {
      if (target.tokenDeletePath === undefined) skip('CODE_HOSTING_TOKEN_DELETE_PATH is not set')
      const made = await creationWithEveryScope()
      const value = tokenValue(made)
      const { status } = await takesBearer(value)
      const outcome = await creation.deletion(made)
      if (status === 401) skipWithoutControl('the token was refused with 401 before it was deleted')
      if (outcome !== 'deleted') skipWithoutControl('the token could not be deleted')
      return value
    }),

    /** A token with `all` where there is one that the service takes, else the password. */
    mainCredentials: fixture('credentials of the main account', async () => {
      if (target.token !== undefined) return givenCredentials(target.token)
      if (target.password === undefined) return needed('main account')
      const token = await all().catch(() => undefined)
      if (token !== undefined && !refusesCredentials(await takesBearer(token))) return bearer(token)
      await passwordAccepted()
      return accounts.main().credentials
    }),

    /** The `all` token; throws `Skip` when the service refuses it as Bearer with 401. */
    working: fixture('working token', async () => {
      const token = await all()
      const { status } = await takesBearer(token)
      if (status === 401) {
        skip('needs a token that authenticates as Bearer; see code-hosting/authentication/bearer')
      }
      return token
    }),
  }
}
