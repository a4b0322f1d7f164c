import { skip } from '../../../lib/conformance/outcome.ts'
import { remark } from '../../../lib/conformance/scope.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'

/** @throws Skip when the server is configured to refuse tokens in the query */
export function needsQueryTokens({ settings }: CodeHostingTarget): void {
  if (settings.disableQueryAuthToken) {
    skip('tokens in the query are switched off: CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN is true')
  }
}

/** @throws Skip when the server is configured to accept tokens in the query */
export function needsQueryTokensDisabled({ settings }: CodeHostingTarget): void {
  if (!settings.disableQueryAuthToken) {
    skip('tokens in the query are allowed: CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN is false')
  }
}

/** Tells whoever reads of a failure that the setting may be another one than the run was told. */
export function remarkThatQueryTokensMayBeDisabled(responses: readonly Exchange[]): void {
  if (responses.some(({ status }) => status === 401)) {
    remark(
      'A server with DISABLE_QUERY_AUTH_TOKEN true, which some have as their default, does so: ' +
        'set CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true for one.',
    )
  }
}
