/** Reasons why no script repeats a failure. */
export const noScriptTexts = {
  intermittent: 'the same request conformed once',
  noResponse: 'no single response shows it',
  severalParts: 'no single part of one response decides it',
  variesByRun: 'what the response holds differs in every run',
  oneTimeCode: 'it needs a one-time code',
  secretOfTheRun: 'it sends a value that only the run knows',
  notKept: 'a body was not kept',
  hiddenCharacters: 'it has characters that an editor hides',
} as const

export type NoScriptReason = keyof typeof noScriptTexts

/** Thrown for a failure that a script cannot repeat. */
export class InexpressibleError extends Error {
  readonly reason: NoScriptReason

  constructor(reason: NoScriptReason) {
    super(noScriptTexts[reason])
    this.reason = reason
  }
}

export function inexpressible(reason: NoScriptReason): never {
  throw new InexpressibleError(reason)
}
