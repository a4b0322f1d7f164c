import { checkSettings, skip } from '../../lib/conformance/check-errors.ts'
import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { fixture } from '../../lib/conformance/fixture.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { retryLostResponse, untilAccepted } from '../../lib/conformance/retry-lost-responses.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { Accounts } from './accounts.ts'
import type { CallOptions, CodeHostingClient, PageQuery } from './client.ts'
import { TOKEN_PRIORITY } from './client.ts'
import { scopeSets, scopesExcept, type TokenScope, UNRELATED_SCOPE } from './levels.ts'
import { expect } from './matchers.ts'
import { otherCategories, type ReadCategory, readPlaces, skipUnmetNeed } from './needs.ts'
import type { Tokens } from './tokens.ts'
import {
  type CodeHostingSettings,
  type CodeHostingTarget,
  codeHostingVariables,
  type SuppliedRequest,
} from './variables.ts'

const { table } = codeHostingVariables

/** The scopes of the token that reads in a category: one token serves two categories. */
const readScopes: Record<ReadCategory, readonly TokenScope[]> = {
  activitypub: ['read:activitypub', 'read:notification'],
  issue: ['read:issue'],
  notification: ['read:activitypub', 'read:notification'],
  organization: ['read:organization', 'read:package'],
  package: ['read:organization', 'read:package'],
  repository: ['read:user', 'read:repository'],
}

const limitNeeds = {
  largeTree: 'large tree',
  largeBlob: 'large blob',
  largeFiles: 'large files',
} as const

type Limit = keyof typeof limitNeeds

/** Returns the queries of a second page, and of a limit above the maximum. */
export const tokenPages = ({ maxResponseItems }: CodeHostingSettings) =>
  [
    { limit: 1, page: 2 },
    { limit: maxResponseItems + 1, page: 1 },
  ] as const

/** Parts of a request that name its sender. */
type SenderOptions = Pick<CallOptions, 'credentials' | 'sudo'>

/** A request with a token that lacks its scope. */
interface ScopeRejection {
  /** Id of the case. */
  name: string
  /** Alternative scopes that grant the request. */
  scopes: readonly TokenScope[]
  /** The scopes of the token. */
  granted: readonly TokenScope[]
  respond(): Promise<Exchange>
}

/** The GET requests that the operator supplies, since the document specifies no path. */
export interface SuppliedReads {
  /** Expects that the scopes of a category, and no others, grant its request. */
  expectCovered(category: ReadCategory): Promise<void>
  /** Expects that only the scopes of repositories grant the request to the files API, if one is supplied. */
  expectFilesCovered(): Promise<void>
  /** The requests of the supplied categories with tokens that lack their scope. */
  scopeRejections(): ScopeRejection[]
  /** Without a request, `options` creates no token. */
  readAdmin(options: () => Promise<SenderOptions>): Promise<Exchange>
  /**
   * Reads the tokens of the main account.
   *
   * @param isAgain true to read it once more, after the token with all scopes was used
   * @throws Inconclusive if the request fails
   */
  readTokenList(isAgain?: boolean): Promise<Exchange>
  /** Reads them with other query parameters. */
  readTokenPage(query: PageQuery): Promise<Exchange>
  /** Reads two pages of them for the requirements about pages, if the operator supplies the request. */
  readTokenPages(): Promise<void>
  /** Reads what exceeds a limit. @throws Inconclusive if the request fails */
  readBeyond(limit: Limit): Promise<Exchange>
  /** Reads the release; returns undefined if the operator supplies no request. */
  readRelease(): Promise<Exchange | undefined>
}

export function createSuppliedReads(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  tokens: Tokens,
): SuppliedReads {
  /** @throws Skip if the operator supplies none */
  function findRequest(category: ReadCategory): SuppliedRequest {
    const place = readPlaces[category]
    return target[place] ?? skip(`${table[place].name} is not set`)
  }

  async function send(category: ReadCategory, token: () => Promise<string>): Promise<Exchange> {
    // Without a request no token is created.
    const request = findRequest(category)
    return client.undocumented(request, { credentials: bearer(await token()) })
  }

  const sendWithoutScope = (category: ReadCategory) =>
    send(category, () => tokens.withEveryCategoryExcept(category))

  return {
    async expectCovered(category) {
      const granted = await send(category, () => tokens.with(...readScopes[category]))
      await contrast({
        control: async () => (isSuccess(granted) ? granted : send(category, tokens.working)),
        negative: () => sendWithoutScope(category),
        assertRejection: (rejection) => expect(rejection).toHaveStatus(403),
      })
      expect(granted).toBeAccepted()
    },

    async expectFilesCovered() {
      const { largeFiles } = target
      if (largeFiles === undefined) return
      await contrast({
        control: () => client.undocumented(largeFiles),
        negative: async () => {
          const credentials = bearer(await tokens.withEveryCategoryExcept('repository'))
          return client.undocumented(largeFiles, { credentials })
        },
        assertRejection: (rejection) => expect(rejection).toHaveStatus(403),
      })
    },

    scopeRejections() {
      const supplied = otherCategories.filter((name) => target[readPlaces[name]] !== undefined)
      return supplied.map((category) => ({
        name: `${table[readPlaces[category]].name} without its scope`,
        scopes: [`read:${category}`],
        granted: scopesExcept('admin', category),
        respond: () => sendWithoutScope(category),
      }))
    },

    async readAdmin(options) {
      const request = target.readAdmin ?? skipUnmetNeed('admin request')
      return client.undocumented(request, await options())
    },

    async readTokenList(isAgain = false) {
      const request = target.tokenList ?? skipUnmetNeed('token list')
      // After a token was used, and another one deleted.
      if (isAgain) await Promise.allSettled([tokens.working(), tokens.deleted()])
      const { credentials } = accounts.main()
      // A page may show the newest tokens only, so the list is read before the run creates many.
      const priority = isAgain ? 0 : TOKEN_PRIORITY + 1
      const list = await client.undocumented(request, { credentials, fresh: true, priority })
      return requireSuccess(list, table.tokenList.name)
    },

    async readTokenPage(query) {
      const request = target.tokenList ?? skipUnmetNeed('token list')
      const { credentials } = accounts.main()
      return client.undocumented(request, { credentials, query })
    },

    async readTokenPages() {
      if (target.tokenList === undefined) return
      // The list has a page before and after the second one.
      const scopes = [['all'], [UNRELATED_SCOPE], scopeSets['read+public-only']] as const
      await Promise.allSettled(scopes.map((some) => tokens.creation(...some)))
      const queries = tokenPages(target.settings)
      await Promise.allSettled(queries.map((query) => this.readTokenPage(query)))
    },

    async readBeyond(limit) {
      const response = await client.undocumented(target[limit] ?? skipUnmetNeed(limitNeeds[limit]))
      return requireSuccess(response, table[limit].name)
    },

    readRelease: async () => target.release && client.undocumented(target.release),
  }
}

/** The request that succeeds with status 204, which the operator supplies. */
export interface NoContentRequests {
  /** Sends the request with the token of the scope `all`, once per run. */
  noContent(): Promise<Exchange>
  /** Sends it once more. */
  noContentAgain(): Promise<Exchange>
}

export function createNoContentRequests(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
  tokens: Tokens,
): NoContentRequests {
  const send = async (repeating: typeof untilAccepted) => {
    const request = target.noContent ?? skipUnmetNeed('no-content request')
    const options = { credentials: bearer(await tokens.working()), fresh: true }
    return repeating(run, () => client.undocumented(request, options))
  }
  const noContent = fixture('no-content request', async () => {
    const exchange = await send(untilAccepted)
    return exchange.status === 404
      ? checkSettings([table.noContent.name], undefined, exchange)
      : exchange
  })
  const noContentAgain = fixture('no-content request again', async () => {
    await noContent()
    return send(retryLostResponse)
  })
  return { noContent, noContentAgain }
}

function requireSuccess(exchange: Exchange, variable: string): Exchange {
  if (isSuccess(exchange)) return exchange
  return checkSettings([variable], undefined, exchange)
}

function findFields(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === name ? [part] : findFields(name, part),
  )
}

/** Returns the length of the longest list that a body is or has; undefined without a list. */
export function countEntries({ json }: Exchange): number | undefined {
  const lists = [json, ...Object.values(Object(json))].filter(Array.isArray)
  return lists.length === 0 ? undefined : Math.max(...lists.map(({ length }) => length))
}

/** Returns the size of a blob, which is taken for base64 if it may be. */
function countBytes(content: string): number {
  const encoded = content.replace(/\s+/g, '')
  if (!/^[\w+/-]*={0,2}$/.test(encoded)) return Buffer.byteLength(content)
  return Math.floor((encoded.replace(/=+$/, '').length * 3) / 4)
}

/** Returns the bytes of the fields `content` of a response, or of all of it if it has no fields. */
export function countBlobBytes({ json, text }: Exchange): number {
  if (typeof json !== 'object') return Buffer.byteLength(text)
  const contents = findFields('content', json).filter((value) => typeof value === 'string')
  return contents.reduce((sum, content) => sum + countBytes(content), 0)
}

export function sumSizes({ json }: Exchange): number {
  const sizes = findFields('size', json).filter((value) => typeof value === 'number')
  return sizes.reduce((sum, size) => sum + size, 0)
}
