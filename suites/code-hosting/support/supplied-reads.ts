import { contrast, isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import { bearer, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import { needed, otherCategories, readOf } from '../needs.ts'
import { type CodeHostingTarget, codeHostingVariables, type SuppliedRequest } from '../variables.ts'
import type { Accounts } from './accounts.ts'
import { expect } from './matchers.ts'
import type { Scope } from './scopes.ts'
import type { Tokens } from './tokens.ts'

const { table } = codeHostingVariables

/** The categories with a supplied request, each with its place in the target. */
export const reads = { ...readOf, repository: 'readRepository' } as const

type Category = keyof typeof reads

export const suppliedCategories = Object.keys(reads) as Category[]

/** The read scopes of the token that reads in a category: one token serves two of them. */
export const readScopes: Record<Category, readonly Scope[]> = {
  activitypub: ['read:activitypub', 'read:notification'],
  issue: ['read:issue'],
  notification: ['read:activitypub', 'read:notification'],
  organization: ['read:organization', 'read:package'],
  package: ['read:organization', 'read:package'],
  repository: ['read:user', 'read:repository'],
}

type Limit = 'largeTree' | 'largeBlob' | 'largeFiles'

const limitNeeds = {
  largeTree: 'large tree',
  largeBlob: 'large blob',
  largeFiles: 'large files',
} as const

/** The GET requests that the operator supplies, since the document shows no path for them. */
export function createSuppliedReads(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
  tokens: Tokens,
) {
  /** @throws Skip if the operator supplies none */
  function requestOf(category: Category): SuppliedRequest {
    const { [reads[category]]: request } = target
    return request ?? skip(`${table[reads[category]].name} is not set`)
  }

  const send = async (category: Category, token: () => Promise<string>) => {
    // Without a request no token is created.
    const request = requestOf(category)
    return client.undocumented(request, { credentials: bearer(await token()) })
  }

  const withoutScope = (category: Category) =>
    send(category, () => tokens.withEveryCategoryExcept(category))

  return {
    /** Expects that the scopes of a category, and no others, grant its request. */
    async expectCovered(category: Category): Promise<void> {
      const granted = await send(category, () => tokens.with(...readScopes[category]))
      await contrast({
        control: async () => (isSuccess(granted) ? granted : send(category, tokens.working)),
        refused: () => withoutScope(category),
        as: (refusal) => expect(refusal).toHaveStatus(403),
      })
      expect(granted).toBeAccepted()
    },

    /** The responses of the supplied categories without their scope, with what the tokens lack. */
    refusals: fixture('refusals of the supplied categories', async () => {
      const supplied = otherCategories.filter((category) => target[readOf[category]] !== undefined)
      const responses = await Promise.allSettled(supplied.map(withoutScope))
      return responses.flatMap((response, index) => {
        const category = supplied[index]
        return response.status === 'fulfilled' && category !== undefined
          ? [{ category, response: response.value }]
          : []
      })
    }),

    /** The response of a request below /admin. */
    admin: (credentials: Credentials): Promise<Exchange> =>
      client.undocumented(target.readAdmin ?? needed('admin request'), { credentials }),

    /** The list of the tokens of the main account; throws Inconclusive if there is none. */
    async tokenList(): Promise<Exchange> {
      const request = target.tokenList ?? needed('token list')
      const { credentials } = accounts.main()
      const list = await client.tokens(request, { credentials, fresh: true })
      return isSuccess(list) ? list : noSuccess(list, table.tokenList.name)
    },

    /** The response that a limit applies to; throws Inconclusive if it is no success. */
    async beyond(limit: Limit): Promise<Exchange> {
      const response = await client.undocumented(target[limit] ?? needed(limitNeeds[limit]))
      return isSuccess(response) ? response : noSuccess(response, table[limit].name)
    },

    /** The response that shows the release; `undefined` if the operator supplies no request. */
    release: async (): Promise<Exchange | undefined> =>
      target.release && client.undocumented(target.release),
  }
}

function noSuccess({ record, status }: Exchange, variable: string): never {
  const { method, url } = record.request
  return inconclusive(`${method} ${url} was answered with ${status}: check ${variable}`)
}

/** The values of all fields of this name, at any depth. */
function fieldsNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === name ? [part] : fieldsNamed(name, part),
  )
}

/** The number of entries of the longest list that a body is or has; `undefined` without a list. */
export function countEntries({ json }: Exchange): number | undefined {
  const lists = [json, ...Object.values(Object(json))].filter(Array.isArray)
  return lists.length === 0 ? undefined : Math.max(...lists.map(({ length }) => length))
}

/** The bytes of a blob: what base64 stands for, where it may be base64. */
function bytesIn(content: string): number {
  const encoded = content.replace(/\s+/g, '')
  if (!/^[\w+/-]*={0,2}$/.test(encoded)) return Buffer.byteLength(content)
  return Math.floor((encoded.replace(/=+$/, '').length * 3) / 4)
}

/** The bytes of all blobs in a response: of its fields `content`, or of all of it where it has no fields. */
export function countBlobBytes({ json, text }: Exchange): number {
  if (typeof json !== 'object') return Buffer.byteLength(text)
  const contents = fieldsNamed('content', json).filter((value) => typeof value === 'string')
  return contents.reduce((sum, content) => sum + bytesIn(content), 0)
}

/** The sum of the fields `size` in a response. */
export function sumSizes({ json }: Exchange): number {
  const sizes = fieldsNamed('size', json).filter((value) => typeof value === 'number')
  return sizes.reduce((sum, size) => sum + size, 0)
}
