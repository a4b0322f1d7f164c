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
export type TokenScope = `${'read' | 'write'}:${ScopeCategory}` | 'all' | 'public-only'

/** A scope that no documented endpoint requires. */
export const UNRELATED_SCOPE: TokenScope = 'read:issue'

/** Values that are not equal to a documented scope, but like one. */
export const nearScopes = ['read:misc', 'Read:Issue', ' read:issue', 'read:issue,read:user']

/** Scopes of a token that reads public repositories only; the last one restricts the others. */
export const publicOnlyReader = ['read:user', 'read:repository', 'public-only'] as const

export const adminScopes: readonly TokenScope[] = ['read:admin', 'write:admin']

/** Returns the read and write scopes of all categories except these. */
export function scopesExcept(...categories: ScopeCategory[]): TokenScope[] {
  return scopeCategories
    .filter((other) => !categories.includes(other))
    .flatMap((other): TokenScope[] => [`read:${other}`, `write:${other}`])
}

/** Scopes that any account can be granted. */
export const generalScopes: readonly TokenScope[] = [...scopesExcept('admin'), 'all', 'public-only']

const FORM =
  /^token does not have at least one of required scope\(s\), required=\[([^\]]*)\], token scope=(.*)$/

const SCOPE_IN_TEXT = /\b(?:(?:read|write):[a-z]+|all|public-only)\b/g

const SCOPE = /^(?:(?:read|write):[a-z]+|all|public-only)$/

/** Parses the message of a missing scope; returns undefined for an undocumented form. */
export function parseScopeMessage(message: string) {
  const lists = FORM.exec(message)?.slice(1)
  const [required = [], granted = []] = (lists ?? []).map((list) =>
    list.split(/[\s,]+/).filter(Boolean),
  )
  const areScopes = [...required, ...granted].every((scope) => SCOPE.test(scope))
  return required.length > 0 && areScopes ? { required, granted } : undefined
}

/** Returns the scopes in a message. In an undocumented form, all of them count as required and granted. */
export function scopesNamed(message: string) {
  const named: string[] = message.match(SCOPE_IN_TEXT) ?? []
  return parseScopeMessage(message) ?? { required: named, granted: named }
}
