import type { Fault } from '../fault.ts'
import { refusedWith } from '../refusal-change.ts'
import type { Scheme } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/tokens'

function managedWith(scheme: Scheme | 'query'): RuleChange {
  return replaceRule(
    'managesTokens',
    (documented) => (context) => context.credentials?.scheme === scheme || documented(context),
  )
}

/** Faults in which tokens are created. */
export const tokenFaults: readonly Fault[] = [
  {
    name: 'token-created-with-200',
    requirements: [
      `${section}/created`,
      `${section}/name-unique-per-user`,
      `${section}/documented-scopes`,
      'code-hosting/authentication/one-time-code-accepted',
    ],
    change: replaceRule('createdTokenStatus', () => () => 200),
  },
  {
    name: 'tokens-created-with-a-token',
    requirements: [`${section}/basic-only`],
    change: replaceRule('managesTokens', () => () => true),
  },
  {
    name: 'tokens-created-with-the-legacy-prefix',
    requirements: [`${section}/basic-only`],
    change: managedWith('legacy'),
  },
  {
    name: 'tokens-created-with-a-token-in-the-query',
    requirements: [`${section}/basic-only`],
    change: managedWith('query'),
  },
  {
    name: 'password-required-error-sent-with-200',
    requirements: [`${section}/basic-only`],
    change: refusedWith('passwordRequired', { status: 200 }),
  },
  {
    name: 'duplicate-name-accepted',
    requirements: [`${section}/duplicate-name`],
    change: replaceRule('tokenNameTaken', () => () => false),
  },
  {
    name: 'duplicate-name-answered-with-409',
    requirements: [`${section}/duplicate-name`],
    change: refusedWith('duplicateTokenName', { status: 409 }),
  },
  {
    name: 'token-names-unique-across-users',
    requirements: [`${section}/name-unique-per-user`],
    change: replaceRule(
      'tokenNameTaken',
      () => (tokens, _account, name) => tokens.some((token) => token.name === name),
    ),
  },
  {
    name: 'documented-scope-refused',
    requirements: [`${section}/documented-scopes`],
    change: replaceRule(
      'scopeKnown',
      (documented) => (scope, context) =>
        scope !== 'read:activitypub' && documented(scope, context),
    ),
  },
  {
    name: 'admin-scopes-refused-to-the-site-admin',
    requirements: [`${section}/documented-scopes`],
    change: replaceRule('mayGrant', () => (scope) => !scope.endsWith(':admin')),
  },
  {
    name: 'unknown-scope-accepted',
    requirements: [`${section}/unknown-scope`],
    change: replaceRule('scopeKnown', () => () => true),
  },
  {
    name: 'scopes-of-unknown-categories-accepted',
    requirements: [`${section}/unknown-scope`],
    change: replaceRule(
      'scopeKnown',
      (documented) => (scope, context) =>
        /^(read|write):\w+$/.test(scope) || documented(scope, context),
    ),
  },
  {
    name: 'scopes-of-unknown-levels-accepted',
    requirements: [`${section}/unknown-scope`],
    change: replaceRule(
      'scopeKnown',
      (documented) => (scope, context) =>
        documented(scope.replace(/^\w+:/, 'read:'), context) || documented(scope, context),
    ),
  },
  ...[403, 500].map((status) => ({
    name: `unknown-scope-answered-with-${status}`,
    requirements: [`${section}/unknown-scope`],
    change: refusedWith('unknownScope', { status, message: '' }),
  })),
]
