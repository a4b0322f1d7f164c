import { together } from '../../../lib/conformance/each.ts'
import { displayQuotedMessage, messageOf } from '../../../lib/conformance/exchange-words.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { ProtectedEndpoint } from './protected-endpoints.ts'
import type { Tokens } from './tokens.ts'

/** What an endpoint answered to a token that lacks its scope. */
export interface ScopeRefusal {
  endpoint: ProtectedEndpoint
  response: Exchange
}

/** A refusal with 403, and what it says. */
export interface ScopeRefusalMessage extends ScopeRefusal {
  /** Empty where there is none. */
  message: string
  /** The message in words. */
  told: string
}

/** All scopes that there are take a few hundred characters. */
const LONGEST_MESSAGE = 4096

/**
 * Those of the refusals that have status 403; the others are another requirement's business.
 *
 * @throws Skip when there is none, Inconclusive when one is longer than any scopes make it
 */
export function messagesOf(refusals: readonly ScopeRefusal[]): ScopeRefusalMessage[] {
  const messages = refusals.flatMap((refusal) => {
    if (refusal.response.status !== 403) return []
    const message = messageOf(refusal.response) ?? ''
    if (message.length > LONGEST_MESSAGE) {
      const { method, url } = refusal.response.record.request
      inconclusive(
        `${method} ${url} was refused with a message of ${message.length} characters, and no more ` +
          `than ${LONGEST_MESSAGE} are read`,
      )
    }
    const told = displayQuotedMessage(refusal.response) ?? 'no message'
    return [{ ...refusal, message, told }]
  })
  if (messages.length === 0) skip('no 403 was given for a missing scope')
  return messages
}

/** The scope that none of the endpoints asks for. */
export const UNRELATED_SCOPE = 'read:issue'

/** The responses of endpoints, which the main account can read, to a token without their scopes. */
export async function scopeRefusals(
  readable: Promise<ProtectedEndpoint[]>,
  tokens: Tokens,
): Promise<ScopeRefusal[]> {
  const [endpoints, token] = await together([readable, tokens.with(UNRELATED_SCOPE)])
  return Promise.all(
    endpoints.map(async (endpoint) => ({
      endpoint,
      response: await endpoint.request({ credentials: bearer(token) }),
    })),
  )
}
