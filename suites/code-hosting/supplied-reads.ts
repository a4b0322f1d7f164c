import { checkSettings, skip } from '../../lib/conformance/check-errors.ts'
import { contrast, isSuccess, requireControl } from '../../lib/conformance/contrast.ts'
import { fixture } from '../../lib/conformance/fixture.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { retryLostResponse, untilAccepted } from '../../lib/conformance/retry-lost-responses.ts'
import { bearer, type Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { CodeHostingClient } from './client.ts'
import { expect } from './matchers.ts'
import type { ScopeRejection } from './model/endpoints.ts'
import {
  codeHostingNeeds,
  otherCategories,
  type ReadCategory,
  readPlaces,
  skipUnmetNeed,
} from './needs.ts'
import { scopesExcept, type TokenScope } from './tokens/scopes.ts'
import { deprecatedSchemes } from './tokens/token-schemes.ts'
import { TOKEN_PRIORITY, type Tokens } from './tokens/tokens.ts'
import { type CodeHostingTarget, codeHostingVariables, type SuppliedRequest } from './variables.ts'

const { table } = codeHostingVariables

/** The scopes of the token that reads in a category: one token serves two categories. */
export const readScopes: Record<ReadCategory, readonly TokenScope[]> = {
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

/** The GET requests that the operator supplies, since the document specifies no path. */
export interface SuppliedReads {
  /** Expects that the scopes of a category, and no others, grant its request. */
  expectCovered(category: ReadCategory): Promise<void>
  /** Expects that only the scopes of repositories grant the request to the files API, if one is supplied. */
  expectFilesCovered(): Promise<void>
  /** The requests of the supplied categories with tokens that lack their scope. */
  scopeRejections(): ScopeRejection[]
  readAdmin(credentials: Credentials): Promise<Exchange>
  /** Reads the tokens of the main account. @throws Inconclusive if the request fails */
  readTokenList(): Promise<Exchange>
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

    readAdmin: (credentials) =>
      client.undocumented(target.readAdmin ?? skipUnmetNeed('admin request'), { credentials }),

    async readTokenList() {
      const request = target.tokenList ?? skipUnmetNeed('token list')
      const { credentials } = accounts.main()
      // A page may show the newest tokens only, so the list is read before the run creates many.
      const priority = TOKEN_PRIORITY + 1
      const list = await client.undocumented(request, { credentials, fresh: true, priority })
      return requireSuccess(list, table.tokenList.name)
    },

    async readBeyond(limit) {
      const response = await client.undocumented(target[limit] ?? skipUnmetNeed(limitNeeds[limit]))
      return requireSuccess(response, table[limit].name)
    },

    readRelease: async () => target.release && client.undocumented(target.release),
  }
}

interface SuppliedOptions {
  /** Defaults to the token with the scope `all`. */
  credentials?: () => Promise<Credentials>
  repeating?: typeof untilAccepted
  /** Sends the request that precedes it. */
  after?: () => Promise<unknown>
  /** Statuses that a server without the endpoint returns. */
  absentWith?: readonly number[]
}

/** The requests that the operator supplies, each sent once per run with the `all` token. */
export type SuppliedRequests = Record<
  | 'archivedChange'
  | 'archivedChangeByPassword'
  | 'conflict'
  | 'repeatedConflict'
  | 'noContent'
  | 'archivedChangeByReader'
  | 'conflictByReader',
  () => Promise<Exchange>
> & {
  /** The requests that are always rejected, with each deprecated scheme. */
  byOtherSchemes: readonly ({ name: string } & Record<
    'archivedChange' | 'conflict',
    () => Promise<Exchange>
  >)[]
}

export function createSuppliedRequests(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
  tokens: Tokens,
  accounts: Accounts,
): SuppliedRequests {
  const { archivedChange, conflict, noContent } = target
  const supplied = (
    need: 'archived repository change' | 'conflicting request' | 'no-content request',
    request: SuppliedRequest | undefined,
    {
      credentials = async () => bearer(await tokens.working()),
      repeating = retryLostResponse,
      after = async () => {},
      absentWith = [404],
    }: SuppliedOptions = {},
  ) =>
    fixture(need, async () => {
      if (request === undefined) return skipUnmetNeed(need)
      await after()
      const options = { credentials: await credentials(), fresh: true }
      const exchange = await repeating(run, () => client.undocumented(request, options))
      if (!absentWith.includes(exchange.status)) return exchange
      return checkSettings(codeHostingNeeds[need].variables.slice(0, 1), undefined, exchange)
    })
  // A server that knows the method of the first request knows it of the others too.
  const asFirst = { absentWith: [404, 405] }
  // A scope of another category may write.
  const reader = async () => bearer(await tokens.with('read:repository', 'write:issue'))
  const archived = (options?: SuppliedOptions) =>
    supplied('archived repository change', archivedChange, options)
  const conflicting = (options?: SuppliedOptions) =>
    supplied('conflicting request', conflict, options)
  const first = conflicting(asFirst)
  const byOtherSchemes = deprecatedSchemes(target).map(({ name, credentialsOf }) => {
    const credentials = async () => {
      const sent = credentialsOf(await tokens.working())
      // Requirements of authentication judge if the server accepts the scheme.
      await requireControl(() => client.user({ credentials: sent }))
      return sent
    }
    return {
      name,
      archivedChange: archived({ credentials }),
      conflict: conflicting({ credentials }),
    }
  })
  return {
    archivedChange: archived(asFirst),
    archivedChangeByPassword: archived({
      credentials: async () => (await accounts.main()).credentials,
    }),
    archivedChangeByReader: archived({ credentials: reader }),
    conflict: first,
    repeatedConflict: conflicting({ after: first }),
    conflictByReader: conflicting({ credentials: reader }),
    noContent: supplied('no-content request', noContent, { repeating: untilAccepted }),
    byOtherSchemes,
  }
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
