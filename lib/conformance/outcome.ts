import type { Exchange } from '../probe/exchange.ts'
import { remark } from './scope.ts'

/** Ends a check without a verdict because something is missing; the message names it. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** Ends a check without a verdict because none could be reached; the message says why. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
  /** The response that allows none, where there is one. */
  readonly exchange: Exchange | undefined

  constructor(message: string, options: { cause?: unknown; exchange?: Exchange } = {}) {
    super(message, options)
    this.exchange = options.exchange
  }
}

export const INTERRUPTED = 'the run was interrupted'

/** Ends a check whose next request was never sent, since the run is coming to its end. */
export class Interrupted extends Inconclusive {
  constructor(reason = INTERRUPTED) {
    super(reason)
  }
}

/** @throws Skip */
export function skip(reason: string): never {
  throw new Skip(reason)
}

/** @throws Inconclusive */
export function inconclusive(reason: string): never {
  throw new Inconclusive(reason)
}

/** Leaves out a part of a check for which something is missing, and says so in a remark. */
export async function orRemark<T>(part: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Skip)) throw error
    remark(`${part} is left out: ${error.message}.`)
    return undefined
  }
}
