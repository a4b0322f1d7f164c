import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/scopes'

/** Faults in what scopes grant. */
export const scopeFaults: readonly Fault[] = [
  {
    name: 'scope-answered-with-401',
    requirements: [`${section}/missing-scope-status`, `${section}/public-only-grants-nothing`],
    change: replaceRule('missingScope', (documented) => (required, granted, context) => ({
      ...documented(required, granted, context),
      status: 401,
    })),
  },
  {
    name: 'scope-answered-with-401-on-repositories',
    requirements: [`${section}/missing-scope-status`],
    change: replaceRule('missingScope', (documented) => (required, granted, context) => {
      const refusal = documented(required, granted, context)
      return context.endpoint === 'repository' ? { ...refusal, status: 401 } : refusal
    }),
  },
  {
    name: 'missing-scope-message-without-scopes',
    requirements: [
      `${section}/missing-scope-message`,
      `${section}/message-names-required`,
      `${section}/message-names-granted`,
    ],
    change: replaceRule('missingScope', (documented) => (required, granted, context) => ({
      ...documented(required, granted, context),
      message: 'token does not have at least one of required scope(s)',
    })),
  },
  {
    name: 'missing-scope-message-names-other-required',
    requirements: [`${section}/message-names-required`],
    change: replaceRule(
      'missingScope',
      (documented) => (_required, granted, context) =>
        documented(['read:package'], granted, context),
    ),
  },
  {
    name: 'missing-scope-message-names-other-granted',
    requirements: [`${section}/message-names-granted`],
    change: replaceRule(
      'missingScope',
      (documented) => (required, granted, context) =>
        documented(required, [...granted, 'read:package'], context),
    ),
  },
  {
    name: 'write-does-not-include-read',
    requirements: [`${section}/write-includes-read`],
    change: replaceRule(
      'grants',
      () => (granted, required) =>
        granted.includes('all') || required.some((scope) => granted.includes(scope)),
    ),
  },
  {
    name: 'write-scopes-grant-every-category',
    requirements: [`${section}/categories-separate`],
    change: replaceRule(
      'grants',
      (documented) => (granted, required, context) =>
        granted.some((scope) => scope.startsWith('write:')) ||
        documented(granted, required, context),
    ),
  },
  {
    name: 'public-only-grants-everything',
    requirements: [`${section}/public-only-grants-nothing`],
    change: replaceRule(
      'grants',
      (documented) => (granted, required, context) =>
        granted.includes('public-only') || documented(granted, required, context),
    ),
  },
  {
    name: 'public-only-ignored-in-listing',
    requirements: [`${section}/public-only-listing`],
    change: replaceRule(
      'publicOnlyHides',
      (documented) => (repository, scopes, context) =>
        context.endpoint !== 'user-repositories' && documented(repository, scopes, context),
    ),
  },
  {
    name: 'public-only-ignored-on-the-record',
    requirements: [`${section}/public-only-hides-private`],
    change: replaceRule(
      'publicOnlyHides',
      (documented) => (repository, scopes, context) =>
        context.endpoint !== 'repository' && documented(repository, scopes, context),
    ),
  },
  {
    name: 'public-only-hides-public',
    requirements: [`${section}/public-only-shows-public`],
    change: replaceRule(
      'publicOnlyHides',
      (documented) => (repository, scopes, context) =>
        (context.endpoint === 'repository' && scopes.includes('public-only')) ||
        documented(repository, scopes, context),
    ),
  },
]
