import { skip } from './check-errors.ts'

/** Minimum length of a secret: a near miss of a shorter one would reveal too much of it. */
const MIN_SECRET_CHARS = 8

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Returns another letter or digit, which encodes other bits in base64 and hexadecimal. */
const otherCharacter = (character: string) => (/[A-Za-f]/.test(character) ? '0' : 'a')

export type NearMiss = keyof typeof nearMisses

/** Secrets that are nearly right; each may equal the secret if that has no such character. */
export const nearMisses = {
  'other start': (secret: string) => secret.replace(/[A-Za-z0-9]/, otherCharacter),
  'other middle': (secret: string) => {
    const middle = Math.floor(secret.length / 2)
    const other = otherCharacter(secret.charAt(middle))
    return `${secret.slice(0, middle)}${other}${secret.slice(middle + 1)}`
  },
  // The padding of base64 stays.
  'other end': (secret: string) => secret.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, otherCharacter),
  'other case': swapCase,
  longer: (secret: string) => `${secret}0`,
  // A server may take what follows a colon for another part.
  'longer by a colon': (secret: string) => `${secret}:0`,
  'longer by a space': (secret: string) => `${secret} `,
  shorter: (secret: string) => secret.slice(0, -1),
  // The document makes them public.
  'last eight': (secret: string) => secret.slice(-8),
}

/** Returns a near miss of the secret of a variable, and its name in reports. @throws Skip if it would reveal too much or change nothing */
export function nearMissOf(variable: string, secret: string, kind: NearMiss) {
  if (secret.length < MIN_SECRET_CHARS)
    skip(
      `${variable} has fewer than ${MIN_SECRET_CHARS} characters: nearly right values are not tried.`,
    )
  const value = nearMisses[kind](secret)
  if (value === secret) skip(`${variable} stays the same with "${kind}", which is not tried.`)
  return { value, name: `${variable}_${kind}`.toUpperCase().replaceAll(' ', '_') }
}
