import { remark } from '../../../lib/conformance/scope.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'

/** Tells whoever reads of a failure that the setting may be another one than the run was told. */
export function remarkThatQueryTokensMayBeDisabled(responses: readonly Exchange[]): void {
  if (responses.some(({ status }) => status === 401)) {
    remark(
      'A server with DISABLE_QUERY_AUTH_TOKEN true, which some have as their default, does so: ' +
        'set CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true for one.',
    )
  }
}
