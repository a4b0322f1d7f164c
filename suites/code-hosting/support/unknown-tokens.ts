import { randomBytes } from 'node:crypto'

const SHOWN_CHARACTERS = 8

/** A token of the usual form that no service has handed out. */
export function unknownToken(): string {
  return randomBytes(20).toString('hex')
}

/** A token as long as a known one that ends in the same eight characters, and is another one. */
export function sameLastEight(known: string): string {
  const beginning = randomBytes(known.length).toString('hex')
  return (
    beginning.slice(0, Math.max(known.length - SHOWN_CHARACTERS, SHOWN_CHARACTERS)) +
    known.slice(-SHOWN_CHARACTERS)
  )
}
