import type { CodeHostingTarget } from '../../target/target.ts'
import { skip } from '../outcome.ts'

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
