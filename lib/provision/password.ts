import { randomBytes } from 'node:crypto'

/**
 * A password with 192 random bits. Its first characters satisfy servers that ask for an upper case
 * letter, a lower case letter, a digit and a punctuation mark; no environment file needs quotes
 * around it.
 */
export function newPassword(): string {
  return `Pl1-${randomBytes(24).toString('base64url')}`
}
