import { answeredWith } from '../../../lib/conformance/answered.ts'
import { together } from '../../../lib/conformance/each.ts'
import { authorization } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import type { ProtectedEndpoint } from './protected-endpoints.ts'
import type { Tokens } from './tokens.ts'

/** The old prefix in other cases than the lower one. */
export const OTHER_CASES = ['Token', 'TOKEN']

/** Requests with the old prefix: in each of its spellings at the first endpoint, in one at others. */
export function legacyRequests(
  endpoints: readonly ProtectedEndpoint[],
): { name: string; prefix: string; request: ProtectedEndpoint['request'] }[] {
  return endpoints.flatMap(({ name, request }, index) =>
    ['token', ...(index === 0 ? OTHER_CASES : [])].map((prefix) => ({
      name: `${prefix} at ${name}`,
      prefix,
      request,
    })),
  )
}

/**
 * The responses to `Authorization: token` at the endpoints where it authenticates, and to its other
 * spellings at one of them.
 */
export async function legacyResponses(
  readable: () => Promise<ProtectedEndpoint[]>,
  client: CodeHostingClient,
  tokens: Tokens,
): Promise<Exchange[]> {
  const [token, endpoints] = await together([tokens.working(), readable()])
  return answeredWith(200, [
    ...endpoints.map(({ request }) => request({ credentials: authorization('token', token) })),
    ...OTHER_CASES.map((prefix) => client.user({ credentials: authorization(prefix, token) })),
  ])
}
