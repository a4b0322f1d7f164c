/** Ends a check without a verdict because something is missing; the message names it. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** Ends a check without a verdict because none could be reached; the message says why. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** @throws Skip */
export function skip(reason: string): never {
  throw new Skip(reason)
}

/** @throws Inconclusive */
export function inconclusive(reason: string): never {
  throw new Inconclusive(reason)
}
