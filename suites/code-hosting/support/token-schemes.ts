import { randomBytes } from 'node:crypto'
import { runOptionalPart, skipWithoutControl } from '../../../lib/conformance/check-errors.ts'
import { responsesWithStatus } from '../../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { note } from '../../../lib/conformance/evidence-scope.ts'
import {
  authorization,
  bearer,
  type Credentials,
  queryToken,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { ProtectedEndpoint } from './endpoints.ts'
import type { Repositories } from './repositories.ts'
import { UNRELATED_SCOPE } from './scopes.ts'
import type { Tokens } from './tokens.ts'

export type TokenScheme = 'bearer' | 'legacy-prefix' | 'query'

export const credentialsFor: Readonly<Record<TokenScheme, (token: string) => Credentials>> = {
  bearer,
  'legacy-prefix': (token) => authorization('token', token),
  query: (token) => queryToken('token', token),
}

/** Returns the deprecated schemes that the server accepts by its configuration. */
export function deprecatedSchemes({ settings }: CodeHostingTarget): readonly TokenScheme[] {
  return [
    ...(settings.allowLegacyTokenScheme ? (['legacy-prefix'] as const) : []),
    ...(settings.disableQueryAuthToken ? [] : (['query'] as const)),
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
  for (const scheme of deprecatedSchemes(target)) {
    const { status } = await request({ credentials: credentialsFor[scheme](token) })
    if (status !== 401) return
  }
  skipWithoutControl(
    'the token is rejected with every scheme; see code-hosting/tokens/authenticates',
  )
}

export const unknownToken = () => randomBytes(20).toString('hex')

export function noteThatQueryTokensMayBeDisabled(responses: readonly Exchange[]): void {
  const server = 'A server with DISABLE_QUERY_AUTH_TOKEN=true returns 401'
  const advice = 'set CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true for it.'
  if (responses.some(({ status }) => status === 401)) note(`${server}: ${advice}`)
}

/** Spellings of the legacy scheme that are not in lower case. */
export const OTHER_CASES = ['Token', 'TOKEN', 'tOkEn']

/** Returns requests with the legacy scheme, in each spelling for the first endpoint only. */
export function legacyRequests(endpoints: readonly ProtectedEndpoint[]) {
  return endpoints.flatMap(({ name, request }, index) => {
    const prefixes = index === 0 ? ['token', ...OTHER_CASES] : ['token']
    return prefixes.map((prefix) => ({ name: `${prefix} at ${name}`, prefix, request }))
  })
}

/** Returns responses to the legacy scheme: records, a list and two errors. */
export async function legacyResponses(
  readable: Promise<ProtectedEndpoint[]>,
  tokens: Tokens,
  client: CodeHostingClient,
  { missingName }: Pick<Repositories, 'missingName'>,
): Promise<Exchange[]> {
  const [token, endpoints] = await allOrWorst([tokens.working(), readable])
  const requests = legacyRequests(endpoints).map(({ request, prefix }) =>
    request({ credentials: authorization(prefix, token) }),
  )
  const served = await responsesWithStatus(200, requests)
  const [missing, forbidden] = await allOrWorst([
    runOptionalPart('A repository that does not exist', () => {
      const request = client.repository(missingName(), {
        credentials: credentialsFor['legacy-prefix'](token),
      })
      return responsesWithStatus(404, [request])
    }),
    runOptionalPart('A token that lacks the scope', async () => {
      const credentials = credentialsFor['legacy-prefix'](await tokens.with(UNRELATED_SCOPE))
      return responsesWithStatus(403, [client.user({ credentials })])
    }),
  ])
  return [...served, ...(missing ?? []), ...(forbidden ?? [])]
}
