import { randomBytes } from 'node:crypto'
import type { Settings } from './settings.ts'
import type { AccessToken, Store } from './store.ts'

/** One running code hosting service. */
export interface Deployment {
  readonly settings: Settings
  readonly store: Store
  /** Where it is reached: scheme, host, port and base path, without a slash at the end. */
  readonly baseUrl: string
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string
}

/** 40 hexadecimal digits that nobody can guess. */
export function newTokenValue(): string {
  return randomBytes(20).toString('hex')
}

/** Adds a token without any check, as an operator does before a run. */
export function issueToken(
  deployment: Deployment,
  token: { login: string; name: string; scopes: readonly string[] },
): AccessToken {
  return deployment.store.addToken({ ...token, value: newTokenValue() })
}
