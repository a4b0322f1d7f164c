import { randomBytes } from 'node:crypto'

/** What help says of the account and the server. */
export const actingAs =
  'It acts as the site administrator of CODE_HOSTING_ADMIN_USERNAME and …_PASSWORD, at\n' +
  'CODE_HOSTING_BASE_URL.'

/** What the names of accounts and repositories begin with unless another prefix is asked for. */
export const DEFAULT_PREFIX = 'plumbline-'

/** The accounts that are made, each named by the prefix and its role, with the variable of its password. */
export const passwordVariables = {
  main: 'CODE_HOSTING_PASSWORD',
  other: 'CODE_HOSTING_OTHER_PASSWORD',
  otp: 'CODE_HOSTING_OTP_PASSWORD',
} as const
export type Role = keyof typeof passwordVariables
export const roles = Object.keys(passwordVariables) as Role[]

const LONGEST_PREFIX = 30

/** Whether accounts may be named so: short words of lower case letters and digits, a hyphen behind each. */
export function isPrefix(text: string): boolean {
  return text.length <= LONGEST_PREFIX && /^([a-z0-9]+-)+$/.test(text)
}

/** What a prefix must be, as it follows "must be". */
export const prefixRule = `lower case letters and digits with a hyphen behind them, at most ${LONGEST_PREFIX} characters, such as ${DEFAULT_PREFIX}`

export function accountName(prefix: string, role: Role): string {
  return `${prefix}${role}`
}

/** Nothing is ever delivered there (RFC 2606, 2). */
export function emailOf(username: string): string {
  return `${username}@plumbline.invalid`
}

/**
 * The mark by which `--remove` knows what was made: the full name of each account and the description
 * of each repository. The prefix in it keeps those of another prefix apart.
 */
export function markOf(prefix: string): string {
  return `Made by plumbline provision (prefix ${prefix})`
}

export type WantedRepository = ReturnType<typeof wantedRepositories>[number]

/** The three that variables or supplied requests name, and private ones that only fill pages. */
export function wantedRepositories(prefix: string, count: number) {
  return Array.from({ length: Math.max(3, count) }, (_, index) => ({
    name: `${prefix}${['public', 'private', 'archived'][index] ?? String(index - 2).padStart(3, '0')}`,
    private: index > 0,
    archived: index === 2,
  }))
}

/** `1 repository`, `51 repositories` */
export function repositoryCount(count: number): string {
  return count === 1 ? '1 repository' : `${count} repositories`
}

/**
 * A password with 192 random bits. Its first characters satisfy servers that ask for an upper case
 * letter, a lower case letter, a digit and a punctuation mark; no environment file needs quotes
 * around it.
 */
export function newPassword(): string {
  return `Pl1-${randomBytes(24).toString('base64url')}`
}
