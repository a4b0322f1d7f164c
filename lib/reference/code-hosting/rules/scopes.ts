import type { Refusal } from '../../http/refusal.ts'
import type { Endpoint, RequestContext } from '../request-context.ts'

/** Document: Authentication, Scopes. */
export interface ScopeRules {
  /** Whether a token can have the scope. */
  scopeKnown(scope: string, context: RequestContext): boolean
  /** Scopes of which one is enough; an empty list asks for none. */
  requiredScopes(endpoint: Endpoint, context: RequestContext): readonly string[]
  grants(granted: readonly string[], required: readonly string[], context: RequestContext): boolean
  missingScope(
    required: readonly string[],
    granted: readonly string[],
    context: RequestContext,
  ): Refusal
}

const categories = [
  'activitypub',
  'admin',
  'issue',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
]

const scopes = new Set([
  ...categories.flatMap((category) => [`read:${category}`, `write:${category}`]),
  'all',
  'public-only',
])

const required: Readonly<Partial<Record<Endpoint, readonly string[]>>> = {
  user: ['read:user'],
  // The document puts the listing in no single category: it is the user's, and it is repositories.
  'user-repositories': ['read:user', 'read:repository'],
  repository: ['read:repository'],
  'create-repository': ['write:repository'],
  'change-repository': ['write:repository'],
  'star-repository': ['write:user'],
}

export const scopeRules: ScopeRules = {
  scopeKnown: (scope) => scopes.has(scope),
  requiredScopes: (endpoint) => required[endpoint] ?? [],
  grants: (granted, anyOf) =>
    granted.includes('all') ||
    anyOf.some(
      (scope) => granted.includes(scope) || granted.includes(scope.replace(/^read:/, 'write:')),
    ),
  missingScope: (anyOf, granted) => ({
    status: 403,
    message: `token does not have at least one of required scope(s), required=[${anyOf.join(',')}], token scope=${granted.join(',')}`,
  }),
}
