import { authorization } from '../../probe/credentials.ts'
import type { Exchange } from '../../probe/exchange.ts'
import type { CodeHostingTarget } from '../../target/target.ts'
import { answeredWith } from '../answered.ts'
import { skip } from '../outcome.ts'
import type { ProtectedEndpoint } from './protected-endpoints.ts'
import type { Tokens } from './tokens.ts'

/** @throws Skip when the server is configured to refuse the old prefix */
export function needsLegacyScheme({ settings }: CodeHostingTarget): void {
  if (!settings.allowLegacyTokenScheme) {
    skip('the old prefix is switched off: CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME is false')
  }
}

/** @throws Skip when the server is configured to accept the old prefix */
export function needsLegacySchemeDisabled({ settings }: CodeHostingTarget): void {
  if (settings.allowLegacyTokenScheme) {
    skip('the old prefix is allowed: CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME is true')
  }
}

/** The responses to `Authorization: token` at the endpoints where it authenticates. */
export async function legacyResponses(
  readable: Promise<ProtectedEndpoint[]>,
  target: CodeHostingTarget,
  tokens: Tokens,
): Promise<Exchange[]> {
  needsLegacyScheme(target)
  const credentials = authorization('token', await tokens.working())
  const endpoints = await readable
  return answeredWith(
    200,
    endpoints.map((endpoint) => endpoint.request({ credentials })),
  )
}
