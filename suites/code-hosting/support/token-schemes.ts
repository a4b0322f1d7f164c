import { runOptionalPart, skipWithoutControl } from '../../../lib/conformance/check-errors.ts'
import { responsesWithStatus } from '../../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { authorization, type Credentials, queryToken } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { ProtectedEndpoint } from './endpoints.ts'
import type { Repositories } from './repositories.ts'
import { UNRELATED_SCOPE } from './scopes.ts'
import type { Tokens } from './tokens.ts'

export const legacyCredentials = (token: string) => authorization('token', token)

/** Returns a token with each deprecated scheme that the server accepts by its configuration. */
export function deprecatedCredentials(
  { settings }: CodeHostingTarget,
  token: string,
): readonly Credentials[] {
  return [
    ...(settings.allowLegacyTokenScheme ? [legacyCredentials(token)] : []),
    ...(settings.disableQueryAuthToken ? [] : [queryToken('token', token)]),
  ]
}

/** Sends requests in sequence and returns the first response that is not a 401, else the first one. */
export async function firstAuthenticated(
  first: () => Promise<Exchange>,
  others: readonly (() => Promise<Exchange>)[],
): Promise<Exchange> {
  const rejection = await first()
  for (const request of rejection.status === 401 ? others : []) {
    const other = await request()
    if (other.status !== 401) return other
  }
  return rejection
}

/** @throws Skip if the service rejects a token with every deprecated scheme too */
export async function requireWorkingScheme(
  request: (options: { credentials: Credentials }) => Promise<Exchange>,
  target: CodeHostingTarget,
  token: string,
): Promise<void> {
  for (const credentials of deprecatedCredentials(target, token)) {
    if ((await request({ credentials })).status !== 401) return
  }
  skipWithoutControl(
    'the token is rejected with every scheme; see code-hosting/tokens/authenticates',
  )
}

/** Returns responses to the legacy scheme, in each spelling at one endpoint: records, a list and two errors. */
export async function legacyResponses(
  readable: Promise<ProtectedEndpoint[]>,
  tokens: Tokens,
  client: CodeHostingClient,
  { missingName }: Pick<Repositories, 'missingName'>,
): Promise<Exchange[]> {
  const [token, endpoints] = await allOrWorst([tokens.working(), readable])
  const requests = endpoints.flatMap(({ request }, index) => {
    const prefixes = index === 0 ? ['token', 'Token', 'TOKEN', 'tOkEn'] : ['token']
    return prefixes.map((prefix) => request({ credentials: authorization(prefix, token) }))
  })
  const served = await responsesWithStatus(200, requests)
  const [missing, forbidden] = await allOrWorst([
    runOptionalPart('A repository that does not exist', () => {
      const credentials = legacyCredentials(token)
      return responsesWithStatus(404, [client.repository(missingName(), { credentials })])
    }),
    runOptionalPart('A token that lacks the scope', async () => {
      const credentials = legacyCredentials(await tokens.with(UNRELATED_SCOPE))
      return responsesWithStatus(403, [client.user({ credentials })])
    }),
  ])
  return [...served, ...(missing ?? []), ...(forbidden ?? [])]
}
