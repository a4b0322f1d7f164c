import type { Exchange } from '../probe/exchange.ts'
import type { Reason } from '../results/reason.ts'
import { noteLeftOut } from './evidence-scope.ts'

/** Ends a check without a verdict. Only reports turn the reason into words. */
class NoVerdict extends Error {
  readonly reason: Reason

  constructor(reason: Reason, options?: ErrorOptions) {
    super(JSON.stringify(reason), options)
    this.reason = reason
  }
}

/** Something is missing. */
export class Skip extends NoVerdict {
  override readonly name = 'Skip'
}

/** Something else than the service, or a slip of settings, may be why. */
export class Inconclusive extends NoVerdict {
  override readonly name = 'Inconclusive'
  /** The response of a gateway that allows none, if any. */
  readonly exchange: Exchange | undefined

  constructor(reason: Reason, options: { cause?: unknown; exchange?: Exchange } = {}) {
    super(reason, options)
    this.exchange = options.exchange
  }
}

/** Ends a check since the run is coming to its end, or will not ask the service any more. */
export class Interrupted extends Inconclusive {
  /** Whether its request was under way, and may have been carried out; otherwise it was never sent. */
  readonly sent: boolean

  constructor(reason: Reason, { sent = false } = {}) {
    super(reason)
    this.sent = sent
  }
}

const shownBy = (exchange: Exchange | undefined) => exchange && { exchange: exchange.id }

/** Ends the check: something is missing, which the text names. */
export function skip(text: string): never {
  throw new Skip({ kind: 'missing', text })
}

/** Ends the check: its control did not succeed. */
export function skipWithoutControl(text: string | undefined, exchange?: Exchange): never {
  throw new Skip({ kind: 'no control', ...(text && { text }), ...shownBy(exchange) })
}

/** Ends the check: its requests were sent, and no response is of the kind that it judges. */
export function skipUnobserved(text: string): never {
  throw new Skip({ kind: 'not observed', text })
}

/** Ends the check without a verdict: something else than the service may be why. */
export function inconclusive(text: string, exchange?: Exchange): never {
  throw new Inconclusive({ kind: 'unclear', text, ...shownBy(exchange) })
}

/** Ends the check without a verdict for a response that allows none. */
export function inconclusiveResponse(text: string, { id: exchange }: Exchange): never {
  throw new Inconclusive({ kind: 'response', text, exchange })
}

/**
 * Ends the check without a verdict: one of these variables is probably wrong.
 *
 * @param text undefined if the response says enough
 */
export function checkSettings(
  variables: readonly string[],
  text: string | undefined,
  exchange?: Exchange,
): never {
  const problem = { ...(text && { text }), ...shownBy(exchange) }
  throw new Inconclusive({ kind: 'settings', variables, ...problem })
}

/** Leaves out a part of a check for which something is missing, and says so in a note. */
export async function runOptionalPart<T>(
  part: string,
  make: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Skip)) throw error
    noteLeftOut(part, error.reason)
    return undefined
  }
}
