import { displayMessage } from '../../../lib/conformance/exchange-words.ts'
import { fixture, fixtureFor } from '../../../lib/conformance/fixture.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import { bearer, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import { needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Accounts } from './accounts.ts'
import { generalScopes, type Scope, type ScopeCategory, scopesExcept } from './scopes.ts'
import { isTooLong, type TokenCreation, valueIn } from './token-creation.ts'

/** The tokens of the main account, each made once a run when the first check asks for it. */
export interface Tokens {
  /** A token with `all`: the given one, or one made for the run. */
  all(): Promise<string>
  /** A token with these scopes. */
  with(...scopes: Scope[]): Promise<string>
  /** A token with both scopes of every category but this one and `admin`. */
  withEveryCategoryBut(category: ScopeCategory): Promise<string>
  /** The exchange that asked for a token with these scopes. */
  creation(...scopes: Scope[]): Promise<Exchange>
  /** The same for a token with every scope that needs no site admin. */
  creationWithEveryScope(): Promise<Exchange>
  /** @throws Inconclusive when the service refuses the main account's password */
  passwordAccepted(): Promise<void>
  /**
   * The credentials with which the main account reads: a token with `all` where there is one that
   * the service takes, else its password.
   */
  mainCredentials(): Promise<Credentials>
  /** The `all` token as Bearer; throws `Skip` when the service refuses it with 401. */
  working(): Promise<string>
}

/** Without tokens most of the run stands still: they are asked for before all else. */
const TOKEN_PRIORITY = 100

type ScopesKey = string

function labelOf(scopes: readonly Scope[]): string {
  return scopes.join('-').replaceAll(':', '-')
}

/** 403 is that of an account which may do nothing until its password is changed, or not at all. */
export function refusesCredentials({ status }: Exchange): boolean {
  return status === 401 || status === 403
}

/** @throws Skip for a value that nothing can be sent with */
function usable(value: string): string {
  if (!isTooLong(value)) return value
  skip(
    'needs a token, and the one that was made has a value of more than 4 kB; ' +
      'see code-hosting/tokens/created',
  )
}

function tokenValue(creation: Exchange): string {
  const value = creation.status < 300 ? valueIn(creation.json) : undefined
  if (value !== undefined) return usable(value)
  const message = displayMessage(creation)
  const reason =
    `needs a token, and asking for one was answered with ${creation.status}` +
    `${message ? ` (${message})` : ''} and no value; see code-hosting/tokens/created`
  // That requirement is about one token. An error that met another one must not leave a run green.
  return creation.status >= 500 ? inconclusive(reason) : skip(reason)
}

export function createTokens(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  creation: TokenCreation,
): Tokens {
  const labelled = new Map<ScopesKey, { scopes: readonly Scope[]; unused: boolean }>()

  function key(scopes: readonly Scope[], label = labelOf(scopes), unused = false): ScopesKey {
    labelled.set(label, { scopes, unused })
    return label
  }

  const request = (label: ScopesKey) =>
    creation.request(accounts.main(), {
      ...labelled.get(label),
      label,
      priority: TOKEN_PRIORITY,
    })

  const allCreation = fixture('token all', () => request(key(['all'])))

  /** With a wrong password a single token is asked for, not a dozen. */
  const passwordAccepted = fixture('password', async () => {
    const { username, credentials } = accounts.main()
    const user = await client.user({ credentials })
    if (!refusesCredentials(user)) return
    if (creation.obstacle === undefined && !refusesCredentials(await allCreation())) return
    inconclusive(
      `the main account ${username} was refused with ${user.status}: ` +
        'check CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD',
    )
  })

  const made = fixtureFor('token', async (label: ScopesKey) => {
    if (target.token === undefined) await passwordAccepted()
    return label === 'all' ? allCreation() : request(label)
  })

  async function all(): Promise<string> {
    if (target.token === undefined) return tokenValue(await made(key(['all'])))
    await givenCredentials(target.token)
    return target.token
  }

  async function takesBearer(token: string): Promise<Exchange> {
    return client.user({ credentials: bearer(token), priority: TOKEN_PRIORITY })
  }

  async function givenCredentials(token: string): Promise<Credentials> {
    const { status } = await takesBearer(token)
    if (status === 401) {
      inconclusive('the token was refused with 401: check CODE_HOSTING_TOKEN')
    }
    if (status === 403) {
      inconclusive('the token may not read its own user: CODE_HOSTING_TOKEN needs the scope all')
    }
    return bearer(token)
  }

  async function passwordCredentials(): Promise<Credentials> {
    await passwordAccepted()
    return accounts.main().credentials
  }

  return {
    all,
    passwordAccepted,
    with: async (...scopes) => tokenValue(await made(key(scopes))),
    withEveryCategoryBut: async (category) =>
      tokenValue(await made(key(scopesExcept(category), `every-category-but-${category}`))),
    creation: (...scopes) => made(key(scopes)),
    creationWithEveryScope: () => made(key(generalScopes, 'every-scope', true)),

    mainCredentials: fixture('credentials of the main account', async () => {
      if (target.token !== undefined) return givenCredentials(target.token)
      if (target.password === undefined) return needed('main account')
      const token = await all().catch(() => undefined)
      if (token === undefined) return passwordCredentials()
      const { status } = await takesBearer(token)
      return status === 401 || status === 403 ? passwordCredentials() : bearer(token)
    }),

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
