import type { Exchange } from '../probe/exchange.ts'
import type { Reason } from '../results/reason.ts'

/** Ends a check without a verdict. Reports format the reason. */
class NoVerdict extends Error {
  readonly reason: Reason

  constructor(reason: Reason, options?: ErrorOptions) {
    super(JSON.stringify(reason), options)
    this.reason = reason
  }
}

/** Thrown if something that the check needs is missing. */
export class Skip extends NoVerdict {
  override readonly name = 'Skip'
}

/** Thrown if a gateway, the network or wrong settings may have caused the outcome. */
export class Inconclusive extends NoVerdict {
  override readonly name = 'Inconclusive'
  /** Response of a gateway that prevented a verdict, if any. */
  readonly exchange: Exchange | undefined

  constructor(reason: Reason, options: { cause?: unknown; exchange?: Exchange } = {}) {
    super(reason, options)
    this.exchange = options.exchange
  }
}

/** Thrown if the run ends early, or sends no more requests to the service. */
export class Interrupted extends Inconclusive {
  /** True if the request was sent and may have been carried out. */
  readonly sent: boolean

  constructor(reason: Reason, { sent = false } = {}) {
    super(reason)
    this.sent = sent
  }
}

const exchangeIn = (exchange: Exchange | undefined) => exchange && { exchange: exchange.id }

/** Skips the check. @param text names the missing item */
export function skip(text: string): never {
  throw new Skip({ kind: 'missing', text })
}

export function skipWithoutControl(text: string | undefined, exchange?: Exchange): never {
  throw new Skip({ kind: 'no control', ...(text && { text }), ...exchangeIn(exchange) })
}

/** Skips the check because no response was of the kind that it judges. */
export function skipUnobserved(text: string): never {
  throw new Skip({ kind: 'not observed', text })
}

/** Ends the check as inconclusive because the service may not be the cause. */
export function inconclusive(text: string, exchange?: Exchange): never {
  throw new Inconclusive({ kind: 'unclear', text, ...exchangeIn(exchange) })
}

export function inconclusiveResponse(text: string, { id: exchange }: Exchange): never {
  throw new Inconclusive({ kind: 'response', text, exchange })
}

/** Ends the check as inconclusive because a value of these variables is probably wrong. @param text optional detail */
export function checkSettings(
  variables: readonly string[],
  text: string | undefined,
  exchange?: Exchange,
): never {
  const problem = { ...(text && { text }), ...exchangeIn(exchange) }
  throw new Inconclusive({ kind: 'settings', variables, ...problem })
}
