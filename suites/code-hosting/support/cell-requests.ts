import { randomBytes } from 'node:crypto'
import { skip, skipUnobserved } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import {
  anonymous,
  authorization,
  basic,
  type Credentials,
  queryToken,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Account, Cell, CredentialProblem, Resource } from '../access-model.ts'
import type { CallOptions, CodeHostingClient } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Accounts, KnownAccount } from './accounts.ts'
import { nearMissOf } from './near-misses.ts'
import type { Repositories } from './repositories.ts'
import type { Creations } from './token-requests.ts'
import type { Tokens } from './tokens.ts'

export interface CellRequestParts {
  run: Run
  target: CodeHostingTarget
  client: CodeHostingClient
  accounts: Accounts
  tokens: Tokens
  creations: Creations
  repositories: Repositories
}

/** Creates a function that sends the requests of cells. Reports hide wrong secrets too. */
export function createCellRequests(parts: CellRequestParts) {
  const { run, target, client, accounts, tokens, creations, repositories } = parts
  const inventedToken = randomBytes(20).toString('hex')
  run.redactor.add('UNKNOWN_TOKEN', inventedToken)
  const unknownUser = `plumbline-${run.settings.runId}-nobody`

  async function accountOf(account: Account): Promise<KnownAccount> {
    if (account !== 'main') return accounts[account]()
    await tokens.passwordAccepted()
    return accounts.main()
  }

  function loginOf(account: Account | 'unknown'): string {
    if (account === 'unknown') return unknownUser
    if (account === 'main') return accounts.username()
    const need = account === 'other' ? 'other account' : 'site administrator'
    return (target[account] ?? skipUnmetNeed(need)).username
  }

  /** Returns a near miss of a secret and its name in reports. @throws Skip if there is none */
  function createNearMiss(variable: string, secret: string, problem: CredentialProblem) {
    const value =
      nearMissOf(secret, problem) ?? skip(`${variable} has no variant with "${problem}"`)
    return { value, name: `WRONG_${variable}_${problem}`.toUpperCase().replaceAll(' ', '_') }
  }

  async function wrongPassword({ actor, problem }: Cell): Promise<Credentials> {
    if (problem === 'unknown user') return basic(unknownUser, inventedToken)
    if (problem === 'invented') return accounts.mainWithWrongPassword()
    const isMain = actor === 'main'
    const [password, another] = isMain
      ? [target.password, target.other?.password]
      : [target.other?.password, target.password]
    const { username } = await accountOf(isMain ? 'main' : 'other')
    if (problem === 'empty') return basic(username, '')
    if (problem === 'of another account') {
      if (another === undefined || another === password)
        skip('needs two accounts with two passwords')
      run.redactor.addBasic(username, 'PASSWORD_OF_ANOTHER_ACCOUNT', another)
      return basic(username, another)
    }
    const variable = isMain ? 'CODE_HOSTING_PASSWORD' : 'CODE_HOSTING_OTHER_PASSWORD'
    const { name, value } = createNearMiss(variable, password ?? '', problem as CredentialProblem)
    run.redactor.addBasic(username, name, value)
    return basic(username, value)
  }

  async function validToken({ actor, scopes }: Cell): Promise<string> {
    if (actor === 'other') return creations.tokenOfOther()
    if (actor === 'admin') return tokens.ofAdmin(...scopes)
    if (scopes.every((scope) => scope === 'public-only')) {
      // The document does not say that a token which grants nothing can be created.
      const { status } = await tokens.creation(...scopes)
      if (status === 400 || status === 422) {
        skipUnobserved(`the server rejects the creation of such a token with ${status}`)
      }
    }
    return scopes.join() === 'all' ? tokens.all() : tokens.with(...scopes)
  }

  async function tokenFor(cell: Cell): Promise<string> {
    const { problem } = cell
    if (problem === 'nothing') return ''
    if (problem === 'invented') return inventedToken
    if (problem === 'deleted') return tokens.deleted()
    const token = await validToken(cell)
    if (problem === undefined || problem === 'unknown scheme') return token
    const { name, value } = createNearMiss('TOKEN', token, problem)
    run.redactor.add(name, value)
    return value
  }

  async function findCredentials(cell: Cell): Promise<Credentials> {
    const { actor, sentAs, problem } = cell
    if (actor === 'anonymous') return anonymous
    if (sentAs === 'any valid') {
      return actor === 'main' ? tokens.mainCredentials() : (await accountOf(actor)).credentials
    }
    const isQuery = sentAs.startsWith('?')
    if (problem === 'nothing' && !isQuery) return { kind: 'authorization', value: sentAs }
    if (sentAs === 'Basic') {
      return problem === undefined ? (await accountOf(actor)).credentials : wrongPassword(cell)
    }
    const token = await tokenFor(cell)
    if (isQuery) return queryToken(sentAs.slice(1, -1), token)
    if (sentAs !== 'password')
      return authorization(problem === 'unknown scheme' ? 'Plumbline' : sentAs, token)
    const { username } = await accountOf(actor)
    run.redactor.addBasic(username, 'TOKEN_AS_PASSWORD', token)
    return basic(username, token)
  }

  async function requestToken(cell: Cell): Promise<Exchange> {
    const { resource, actor, sentAs, problem } = cell
    const owner = resource === 'tokens of the other account' ? 'other' : 'main'
    if (sentAs === 'Basic' && actor === owner && problem === undefined) {
      return owner === 'main' ? creations.accepted() : creations.byOtherWithSameName()
    }
    const parts = actor === 'anonymous' ? [actor] : [actor, sentAs, problem ?? 'right']
    const label = parts
      .join('-')
      .toLowerCase()
      .replace('?', 'query-')
      .replaceAll(/[^a-z-]+/g, '')
    const [account, credentials] = await allOrWorst([accountOf(owner), findCredentials(cell)])
    return creations.presenting(label, account, credentials)
  }

  const names: Partial<Record<Resource, () => string | Promise<string>>> = {
    'public repository': repositories.publicName,
    'private repository': repositories.readablePrivateName,
    'missing repository': repositories.missingName,
    'repository of a missing owner': repositories.nameOfMissingOwner,
  }

  async function send(cell: Cell, fresh = false): Promise<Exchange> {
    const { resource, sudo } = cell
    if (resource.startsWith('tokens')) return requestToken(cell)
    // Without the repository, no token is created.
    const name = await names[resource]?.()
    const options: CallOptions = {
      fresh,
      credentials: await findCredentials(cell),
      ...(sudo && { sudo: { as: loginOf(sudo.as), in: sudo.in } }),
    }
    if (name !== undefined) return client.repository(name, options)
    if (resource === 'settings') return client.settings(options)
    return resource === 'user' ? client.user(options) : client.repositories({}, options)
  }

  return { accountOf, loginOf, send }
}
