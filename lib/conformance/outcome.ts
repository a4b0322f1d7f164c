import type { Exchange } from '../probe/exchange.ts'
import { note } from './scope.ts'

export interface UnmetNeed {
  name: string
  variables: readonly string[]
  /** What to do about it, a sentence; absent for what a server is or is not. */
  advice?: string
}

export class Skip extends Error {
  override readonly name = 'Skip'
  /** Of the catalogue, where it is among these what is missing. */
  readonly needs: readonly UnmetNeed[] | undefined

  constructor(message: string, needs?: readonly UnmetNeed[]) {
    super(message)
    this.needs = needs
  }
}

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

/** Ends the check without a verdict: something else than the service, or a slip of settings, may be why. */
export function inconclusive(reason: string): never {
  throw new Inconclusive(reason)
}

/** Leaves out a part of a check for which something is missing, and says so in a note. */
export async function orNote<T>(part: string, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Skip)) throw error
    note(`${part} is left out: ${error.message}.`)
    return undefined
  }
}
