import type { Exchange } from '../probe/exchange.ts'
import type { SkipCause } from '../results/result.ts'
import { note } from './scope.ts'

export class Skip extends Error {
  override readonly name = 'Skip'
  /** Undefined if something else is missing. */
  readonly unjudged: SkipCause | undefined

  constructor(message: string, unjudged?: SkipCause) {
    super(message)
    this.unjudged = unjudged
  }
}

export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
  /** The response of a gateway that allows none, if any. */
  readonly exchange: Exchange | undefined
  /** Id of the exchange that shows why there is no verdict, if known. */
  readonly shownBy: string | undefined

  constructor(
    message: string,
    options: { cause?: unknown; exchange?: Exchange; shownBy?: string } = {},
  ) {
    super(message, options)
    this.exchange = options.exchange
    this.shownBy = options.shownBy ?? options.exchange?.id
  }
}

export const INTERRUPTED = 'the run was interrupted'

/** Ends a check since the run is coming to its end, or will not ask the service any more. */
export class Interrupted extends Inconclusive {
  /** Whether its request was under way, and may have been carried out; otherwise it was never sent. */
  readonly sent: boolean
  /** Whether it is the run that ends, and not the circuit of a service that is open. */
  readonly ends: boolean

  constructor(reason = INTERRUPTED, { sent = false, ends = true } = {}) {
    super(reason)
    this.sent = sent
    this.ends = ends
  }
}

/** Ends the check: something is missing, which the reason names. */
export function skip(reason: string): never {
  throw new Skip(reason)
}

/** Ends the check: its requests were sent, and no response is of the kind that it judges. */
export function skipUnobserved(reason: string): never {
  throw new Skip(reason, { kind: 'not observed' })
}

/** Ends the check without a verdict: something else than the service, or a slip of settings, may be why. */
export function inconclusive(reason: string, shownBy?: Exchange): never {
  throw new Inconclusive(reason, shownBy && { shownBy: shownBy.id })
}

/** Leaves out a part of a check for which something is missing, and says so in a note. */
export async function orNote<T>(part: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Skip)) throw error
    note(`${part} is left out: ${error.message}.`, error.unjudged)
    return undefined
  }
}
