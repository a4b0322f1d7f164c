import { skip } from '../../../lib/conformance/outcome.ts'
import {
  authorization,
  bearer,
  type Credentials,
  queryToken,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'

/** The kinds of ways in which a request carries a token. */
export type WayToSend = 'bearer' | 'legacy-prefix' | 'query'

/** The credentials that carry a token in that way. */
export const sentAs: Readonly<Record<WayToSend, (token: string) => Credentials>> = {
  bearer,
  'legacy-prefix': (token) => authorization('token', token),
  query: (token) => queryToken('token', token),
}

/** The deprecated ones that the server is configured to take. */
export function deprecatedWays({ settings }: CodeHostingTarget): readonly WayToSend[] {
  return [
    ...(settings.allowLegacyTokenScheme ? (['legacy-prefix'] as const) : []),
    ...(settings.disableQueryAuthToken ? [] : (['query'] as const)),
  ]
}

/** The first response that is no 401, of requests that are sent one after the other, else the first. */
export async function firstAuthenticated(
  first: () => Promise<Exchange>,
  others: readonly (() => Promise<Exchange>)[],
): Promise<Exchange> {
  const response = await first()
  let last = response
  for (const request of others) {
    if (last.status !== 401) return last
    last = await request()
  }
  return last.status === 401 ? response : last
}

/**
 * Whether a token is one at all where Bearer is refused.
 *
 * @throws Skip when the request is refused with it in every other way too
 */
export async function needsTokenOtherwise(
  request: (options: { credentials: Credentials }) => Promise<Exchange>,
  target: CodeHostingTarget,
  token: string,
): Promise<void> {
  for (const way of deprecatedWays(target)) {
    const { status } = await request({ credentials: sentAs[way](token) })
    if (status !== 401) return
  }
  skip('no control: the token is refused in every way; see code-hosting/tokens/authenticates')
}
