/** The scope categories of access tokens. */
const scopeCategories = [
  'activitypub',
  'admin',
  'issue',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
] as const

export type ScopeCategory = (typeof scopeCategories)[number]
export type Scope = `${'read' | 'write'}:${ScopeCategory}` | 'all' | 'public-only'

/** The scopes of one category, which a site admin alone may be granted. */
export const adminScopes: readonly Scope[] = ['read:admin', 'write:admin']

/** Both scopes of every category but one and `admin`. */
export function scopesExcept(category: ScopeCategory): Scope[] {
  return scopeCategories
    .filter((other) => other !== category && other !== 'admin')
    .flatMap((other): Scope[] => [`read:${other}`, `write:${other}`])
}

/** Every scope that an account without special rights can be granted. */
export const generalScopes: readonly Scope[] = [...scopesExcept('admin'), 'all', 'public-only']

/** The scopes that a 403 names. */
interface ScopeMessage {
  required: string[]
  granted: string[]
}

const FORM =
  /^token does not have at least one of required scope\(s\), required=\[(?<required>[^\]]*)\], token scope=(?<granted>.*)$/

const SCOPE_IN_TEXT = /\b(?:(?:read|write):[a-z]+|all|public-only)\b/g

const SCOPE = /^(?:(?:read|write):[a-z]+|all|public-only)$/

function scopesIn(list: string | undefined): string[] {
  return (list ?? '').split(/[\s,]+/).filter((scope) => scope !== '')
}

/**
 * Reads the message of a missing scope. Scopes may be apart by commas, spaces or both.
 *
 * @returns `undefined` when the message does not have the documented form
 */
export function parseScopeMessage(message: string): ScopeMessage | undefined {
  const groups = FORM.exec(message)?.groups
  if (groups === undefined) return undefined
  const required = scopesIn(groups.required)
  const granted = scopesIn(groups.granted)
  const readable = required.length > 0 && [...required, ...granted].every((s) => SCOPE.test(s))
  return readable ? { required, granted } : undefined
}

/**
 * The scopes in a message of any form, which is another requirement's business: without the
 * documented form, every scope that the text names counts as required and as granted.
 */
export function scopesNamed(message: string): ScopeMessage {
  const named = message.match(SCOPE_IN_TEXT) ?? []
  return parseScopeMessage(message) ?? { required: named, granted: named }
}
