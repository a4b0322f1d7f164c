import type { Flaw } from '../access-model.ts'

/** A near miss of a shorter secret would reveal too much of it. */
export const MIN_SECRET_CHARS = 8

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Returns another letter or digit, which stands for other bits in base64 and hexadecimal. */
const otherCharacter = (character: string) => (/[A-Za-f]/.test(character) ? '0' : 'a')

type NearMiss = 'other beginning' | 'other end' | 'other case' | 'longer' | 'shorter'

/** Near misses by their flaw. */
const nearMisses: Readonly<Record<NearMiss, (secret: string) => string>> = {
  'other beginning': (secret) => secret.replace(/[A-Za-z0-9]/, otherCharacter),
  // The padding of base64 stays.
  'other end': (secret) => secret.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, otherCharacter),
  'other case': swapCase,
  longer: (secret) => `${secret}0`,
  shorter: (secret) => secret.slice(0, -1),
}

/** Returns a near miss of a secret; `undefined` if it would be the same or reveal too much. */
export function nearMissOf(secret: string, flaw: Flaw): string | undefined {
  if (secret.length < MIN_SECRET_CHARS) return undefined
  const missed = nearMisses[flaw as NearMiss]?.(secret)
  return missed === secret ? undefined : missed
}
