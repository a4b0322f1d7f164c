import { bearer } from '../../probe/credentials.ts'
import type { Exchange } from '../../probe/exchange.ts'
import type { CodeHostingClient } from '../../services/code-hosting.ts'
import type { CodeHostingTarget, SuppliedRequest } from '../../target/target.ts'
import { fixture } from '../fixture.ts'
import { inconclusive, skip } from '../outcome.ts'
import type { Run } from '../run.ts'
import { untilAccepted, untilAnswered } from '../until-answered.ts'
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
