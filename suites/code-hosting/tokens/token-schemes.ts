import { skipWithoutControl } from '../../../lib/conformance/check-errors.ts'
import { authorization, type Credentials, queryToken } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../variables.ts'

const legacyCredentials = (token: string) => authorization('token', token)

/** Returns a token with each deprecated scheme that the server accepts by its configuration. */
export function deprecatedCredentials(
  target: CodeHostingTarget,
  token: string,
): readonly Credentials[] {
  return deprecatedSchemes(target).map(({ credentialsOf }) => credentialsOf(token))
}

/** Returns the deprecated schemes that the server accepts by its configuration, by name. */
export const deprecatedSchemes = ({ settings }: CodeHostingTarget) => [
  ...(settings.allowLegacyTokenScheme
    ? [{ name: 'with the scheme token', credentialsOf: legacyCredentials }]
    : []),
  ...(settings.disableQueryAuthToken
    ? []
    : [{ name: 'with ?token=', credentialsOf: (token: string) => queryToken('token', token) }]),
]

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
