import type { Refusal } from '../../http/refusal.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'code-hosting/scopes'
const eitherCategory = `${section}/message-names-required/either-category-for-repositories`

function missingScope(required: string, granted: string): Refusal {
  return {
    status: 403,
    message: `token does not have at least one of required scope(s), required=[${required}], token scope=${granted}`,
  }
}

function scopesSeparatedBy(separator: string): RuleChange {
  return replaceRule('missingScope', () => (required, granted) => {
    return missingScope(required.join(separator), granted.join(separator))
  })
}

function repositoriesNeed(...scopes: readonly string[]): RuleChange {
  return replaceRule('requiredScopes', (documented) => (endpoint, context) => {
    return endpoint === 'user-repositories' ? scopes : documented(endpoint, context)
  })
}

/** Other forms of the refusal for want of a scope, and other scopes for the listing. */
export const scopeVariants: readonly Variant[] = [
  {
    name: 'scopes-separated-by-spaces',
    tolerances: [`${section}/missing-scope-message/any-separators`],
    change: scopesSeparatedBy(' '),
  },
  {
    name: 'scopes-separated-by-commas-and-spaces',
    tolerances: [`${section}/missing-scope-message/any-separators`],
    change: scopesSeparatedBy(', '),
  },
  {
    name: 'scopes-in-another-order',
    tolerances: [`${section}/missing-scope-message/any-order`],
    change: replaceRule('missingScope', () => (required, granted) => {
      return missingScope(required.toReversed().join(), granted.toReversed().join())
    }),
  },
  {
    name: 'write-scopes-named-too',
    tolerances: [`${section}/message-names-required/including-scopes`],
    change: replaceRule('missingScope', () => (required, granted) => {
      const including = required.map((scope) => scope.replace(/^read:/, 'write:'))
      return missingScope([...new Set([...required, ...including])].join(), granted.join())
    }),
  },
  {
    name: 'repositories-need-read-user',
    tolerances: [eitherCategory],
    change: repositoriesNeed('read:user'),
  },
  {
    name: 'repositories-need-read-repository',
    tolerances: [eitherCategory],
    change: repositoriesNeed('read:repository'),
  },
  {
    name: 'public-only-403',
    tolerances: [`${section}/public-only-hides-private/status-403-or-404`],
    change: replaceRule('hiddenByPublicOnly', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
]
