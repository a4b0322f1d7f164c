import { describe, expect, it } from 'vitest'
import { adminScopes, generalScopes, scopeCategories, scopesExcept } from './scopes.ts'

describe('scopes', () => {
  it('are read and write of each category, all and public-only', () => {
    expect([...generalScopes, ...adminScopes].sort()).toEqual(
      [
        ...scopeCategories.flatMap((category) => [`read:${category}`, `write:${category}`]),
        'all',
        'public-only',
      ].sort(),
    )
  })

  it('of site admins are no general ones', () => {
    expect(generalScopes.filter((scope) => adminScopes.includes(scope))).toEqual([])
  })

  it.each(scopeCategories)('of all categories but %s leave it and admin out', (category) => {
    const scopes = scopesExcept(category)
    const left = scopeCategories.filter((other) => other !== category && other !== 'admin')
    expect(scopes).toEqual(left.flatMap((other) => [`read:${other}`, `write:${other}`]))
  })
})
