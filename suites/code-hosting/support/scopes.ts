/** The scope categories of access tokens. */
export const scopeCategories = [
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
export type CategoryScope = `${'read' | 'write'}:${ScopeCategory}`
export type Scope = CategoryScope | 'all' | 'public-only'

/** The scopes of one category, which a site admin alone may be granted. */
export const adminScopes: readonly Scope[] = ['read:admin', 'write:admin']

/** Every scope that an account without special rights can be granted. */
export const generalScopes: readonly Scope[] = [
  ...scopeCategories
    .filter((category) => category !== 'admin')
    .flatMap((category): Scope[] => [`read:${category}`, `write:${category}`]),
  'all',
  'public-only',
]

/** Both scopes of every category but one and `admin`. */
export function scopesExcept(category: ScopeCategory): Scope[] {
  return scopeCategories
    .filter((other) => other !== category && other !== 'admin')
    .flatMap((other): Scope[] => [`read:${other}`, `write:${other}`])
}
