import type { CredentialProblem } from '../access-model.ts'

/** Minimum length of a secret: a near miss of a shorter one would reveal too much of it. */
export const MIN_SECRET_CHARS = 8

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Returns another letter or digit, which encodes other bits in base64 and hexadecimal. */
const otherCharacter = (character: string) => (/[A-Za-f]/.test(character) ? '0' : 'a')

type NearMiss = 'other start' | 'other end' | 'other case' | 'longer' | 'shorter'

const nearMisses: Readonly<Record<NearMiss, (secret: string) => string>> = {
  'other start': (secret) => secret.replace(/[A-Za-z0-9]/, otherCharacter),
  // The padding of base64 stays.
  'other end': (secret) => secret.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, otherCharacter),
  'other case': swapCase,
  longer: (secret) => `${secret}0`,
  shorter: (secret) => secret.slice(0, -1),
}

/** Returns a near miss of a secret; `undefined` if it would be the same or reveal too much. */
export function nearMissOf(secret: string, problem: CredentialProblem): string | undefined {
  if (secret.length < MIN_SECRET_CHARS) return undefined
  const nearMiss = nearMisses[problem as NearMiss]?.(secret)
  return nearMiss === secret ? undefined : nearMiss
}
