import { fixture } from '../../../lib/conformance/fixture.ts'
import { untilAccepted, untilAnswered } from '../../../lib/conformance/lost-answers.ts'
import { inconclusive } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import type { CodeHostingClient } from '../client.ts'
import { codeHostingNeeds, needed } from '../needs.ts'
import type { CodeHostingTarget, SuppliedRequest } from '../variables.ts'
import type { Tokens } from './tokens.ts'

/** The requests that the operator supplies, each sent once a run with the `all` token. */
export function createSupplied(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
  tokens: Tokens,
) {
  function sent(
    need: 'archived change' | 'conflicting request' | 'no-content request',
    request: SuppliedRequest | undefined,
    repeating: typeof untilAccepted = untilAnswered,
  ) {
    return fixture(need, async () => {
      if (request === undefined) return needed(need)
      const credentials = bearer(await tokens.working())
      const exchange = await repeating(run, () => client.undocumented(request, { credentials }))
      if (exchange.status === 404) {
        inconclusive(
          `${request.method} ${request.path} was answered with 404: check ${codeHostingNeeds[need].variables[0]}`,
        )
      }
      return exchange
    })
  }

  return {
    archivedChange: sent('archived change', target.archivedChange),
    conflict: sent('conflicting request', target.conflict),
    noContent: sent('no-content request', target.noContent, untilAccepted),
  }
}
