import { fixture } from '../../../lib/conformance/fixture.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { untilAccepted, untilAnswered } from '../../../lib/conformance/until-answered.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget, SuppliedRequest } from '../../../lib/target/target.ts'
import type { CodeHostingClient } from '../client.ts'
import type { Tokens } from './tokens.ts'

/** The requests that the operator supplies, each sent once a run with the `all` token. */
export interface Supplied {
  archivedChange(): Promise<Exchange>
  conflict(): Promise<Exchange>
  noContent(): Promise<Exchange>
}

export function createSupplied(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
  tokens: Tokens,
): Supplied {
  function sent(
    variable: string,
    request: SuppliedRequest | undefined,
    repeating: typeof untilAccepted = untilAnswered,
  ) {
    return fixture(variable, async () => {
      if (request === undefined) skip(`${variable} is not set`)
      const credentials = bearer(await tokens.working())
      const exchange = await repeating(run, () => client.undocumented(request, { credentials }))
      if (exchange.status === 404) {
        inconclusive(`${request.method} ${request.path} was answered with 404: check ${variable}`)
      }
      return exchange
    })
  }

  return {
    archivedChange: sent('CODE_HOSTING_ARCHIVED_CHANGE', target.archivedChange),
    conflict: sent('CODE_HOSTING_CONFLICT', target.conflict),
    noContent: sent('CODE_HOSTING_NO_CONTENT', target.noContent, untilAccepted),
  }
}
