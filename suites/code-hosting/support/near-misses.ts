import type { Flaw } from '../access-model.ts'

/** Fewer characters could be guessed from what a near miss leaves of them. */
export const MIN_SECRET_CHARS = 8

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Another letter or digit, which no decoding of base64 or hexadecimal takes for the same. */
const otherCharacter = (character: string) => (/[A-Za-f]/.test(character) ? '0' : 'a')

type NearMiss = 'other beginning' | 'other end' | 'other case' | 'longer' | 'shorter'

/** What nearly is a secret, by what is wrong with it. */
const nearMisses: Readonly<Record<NearMiss, (secret: string) => string>> = {
  'other beginning': (secret) => secret.replace(/[A-Za-z0-9]/, otherCharacter),
  // Padding at the end of base64 stays.
  'other end': (secret) => secret.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, otherCharacter),
  'other case': swapCase,
  longer: (secret) => `${secret}0`,
  shorter: (secret) => secret.slice(0, -1),
}

/** A value that nearly is the secret; `undefined` where it would be the same, or tell too much. */
export function nearMissOf(secret: string, flaw: Flaw): string | undefined {
  if (secret.length < MIN_SECRET_CHARS) return undefined
  const missed = nearMisses[flaw as NearMiss]?.(secret)
  return missed === secret ? undefined : missed
}
