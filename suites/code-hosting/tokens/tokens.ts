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
import type { Accounts } from '../accounts/accounts.ts'
import type { CodeHostingClient } from '../client.ts'
import { generalScopes, type ScopeCategory, scopesExcept, type TokenScope } from '../levels.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import {
  type CreationOptions,
  sendingProblem,
  type TokenCreation,
  valueIn,
} from './token-creation.ts'
import { deprecatedCredentials } from './token-schemes.ts'

/** High priority, since most requests depend on a token. */
export const TOKEN_PRIORITY = 100

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

interface TokensParts {
  target: CodeHostingTarget
  client: CodeHostingClient
  accounts: Accounts
  creation: TokenCreation
}

/** The tokens of the target. Each is created once per run, on first use. */
export class Tokens {
  readonly #parts: TokensParts

  constructor(parts: TokensParts) {
    this.#parts = parts
  }

  /** The value of a token with the scope `all`. */
  async all(): Promise<string> {
    const { token } = this.#parts.target
    if (token === undefined) return this.with('all')
    await this.#suppliedCredentials(token)
    return token
  }

  /** Limits a wrong password to one token request. @throws Inconclusive if the password is wrong */
  readonly passwordAccepted = fixture('password', async () => {
    const { accounts, client, creation } = this.#parts
    const { username, credentials } = accounts.main()
    const user = await client.user({ credentials })
    if (!rejectsCredentials(user)) return
    if (creation.blocker === undefined && !rejectsCredentials(await this.#allCreation())) return
    const problem = `the main account ${username} was refused with ${user.status}`
    checkSettings(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'], problem, user)
  })

  /** The value of a token with these scopes. */
  async with(...scopes: TokenScope[]): Promise<string> {
    return tokenValue(await this.creation(...scopes))
  }

  /** The exchange that created a token with these scopes. */
  creation(...scopes: TokenScope[]): Promise<Exchange> {
    return this.#requestOnce(labelOf(scopes), scopes)
  }

  /** The value of a token with read and write scopes of all categories except this one and `admin`. */
  async withEveryCategoryExcept(category: ScopeCategory): Promise<string> {
    const scopes = scopesExcept('admin', category)
    return tokenValue(await this.#requestOnce(`every-category-except-${category}`, scopes))
  }

  /** Returns true for the value of a token that exists while checks run. */
  isValid(value: string): boolean {
    const { creation, target } = this.#parts
    const issued = creation.issuedTokens.find((one) => one.value === value)
    return target.token === value || (issued && !creation.deletions.has(issued.exchange)) === true
  }

  /** The name of the token that an exchange requested. */
  nameOf({ request }: Exchange): string {
    return JSON.parse(request.body ?? '{}').name
  }

  /** The exchange that created a token with every scope, which is deleted after its first use. */
  creationWithEveryScope(): Promise<Exchange> {
    const unused = async ({ json }: Exchange) => {
      const value = valueIn(json)
      if (value !== undefined && sendingProblem(value) === undefined) await this.#user(value)
    }
    return this.#requestOnce('every-scope', generalScopes, { unused })
  }

  /** The exchange that created such a token, which is deleted immediately. */
  unusedCreation(...scopes: TokenScope[]): Promise<Exchange> {
    return this.#requestOnce(labelOf(scopes), scopes, { unused: true })
  }

  /** The exchange that created a token of the site administrator with these scopes. */
  creationByAdmin(...scopes: TokenScope[]): Promise<Exchange> {
    return this.#requestByAdmin(labelOf(scopes), scopes)
  }

  /** The value of a token of the site administrator. */
  async ofAdmin(...scopes: TokenScope[]): Promise<string> {
    return tokenValue(await this.creationByAdmin(...scopes))
  }

  /** The value of a token that authenticated before its deletion. @throws Skip if it did not */
  readonly deleted = fixture('deleted token', async () => {
    const { creation, target } = this.#parts
    if (target.tokenDeletePath === undefined) skip('CODE_HOSTING_TOKEN_DELETE_PATH is not set')
    const created = await this.creationWithEveryScope()
    const value = tokenValue(created)
    const { status } = await this.#user(value)
    const outcome = await creation.deletions.get(created.id)
    if (status === 401) skipWithoutControl('the token was refused with 401 before it was deleted')
    if (outcome !== 'deleted' && outcome !== 'gone') {
      skipWithoutControl('the token could not be deleted')
    }
    return value
  })

  /** A token with the scope `all` if the service accepts it as Bearer, else the password, else that token by a deprecated scheme. */
  readonly mainCredentials = fixture('credentials of the main account', async () => {
    const { accounts, client, target } = this.#parts
    const { token, password } = target
    if (token !== undefined) return this.#suppliedCredentials(token)
    if (password === undefined) return skipUnmetNeed('main account')
    const created = await this.all().catch(() => undefined)
    if (created !== undefined && !rejectsCredentials(await this.#user(created))) {
      return bearer(created)
    }
    await this.passwordAccepted()
    const { credentials } = accounts.main()
    const others = created === undefined ? [] : deprecatedCredentials(target, created)
    for (const one of [credentials, ...others]) {
      if (!rejectsCredentials(await client.user({ credentials: one }))) return one
    }
    return credentials
  })

  /** The value of the `all` token. @throws Skip if the service rejects it as Bearer with 401 */
  readonly working = fixture('working token', async () => {
    const token = await this.all()
    const { status } = await this.#user(token)
    if (status === 401) {
      skip('needs a token that authenticates as Bearer; see code-hosting/authentication/bearer')
    }
    return token
  })

  readonly #allCreation = fixture('token all', () => this.#request('all', ['all']))

  readonly #requestOnce = fixtureFor(
    'token',
    async (label, scopes: readonly TokenScope[], options?: Partial<CreationOptions>) => {
      if (this.#parts.target.token === undefined) await this.passwordAccepted()
      return label === 'all' ? this.#allCreation() : this.#request(label, scopes, options)
    },
  )

  readonly #requestByAdmin = fixtureFor(
    'token of the administrator',
    async (label, scopes: TokenScope[]) => {
      const { accounts, creation } = this.#parts
      return creation.request(await accounts.admin(), { label: `admin-${label}`, scopes })
    },
  )

  #request(label: string, scopes: readonly TokenScope[], options?: Partial<CreationOptions>) {
    const { accounts, creation } = this.#parts
    const parts = { label, scopes, priority: TOKEN_PRIORITY, ...options }
    return creation.request(accounts.main(), parts)
  }

  #user(token: string): Promise<Exchange> {
    return this.#parts.client.user({ credentials: bearer(token), priority: TOKEN_PRIORITY })
  }

  async #suppliedCredentials(token: string): Promise<Credentials> {
    const user = await this.#user(token)
    const { status } = user
    if (status !== 401 && status !== 403) return bearer(token)
    const missingScope = 'the token cannot read its own user: it needs the scope all'
    const problem = status === 401 ? 'the token was refused with 401' : missingScope
    return checkSettings(['CODE_HOSTING_TOKEN'], problem, user)
  }
}
