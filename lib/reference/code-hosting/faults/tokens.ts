import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/tokens'

/** Faults in the creation of tokens and in their records. */
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
    name: 'last-eight-is-first-eight',
    requirements: [`${section}/last-eight`],
    change: replaceRule('lastEight', () => (value) => value.slice(0, 8)),
  },
  {
    name: 'tokens-created-with-a-token',
    requirements: [`${section}/basic-only`],
    change: replaceRule('managesTokens', () => () => true),
  },
  {
    name: 'duplicate-name-accepted',
    requirements: [`${section}/duplicate-name`],
    change: replaceRule('tokenNameTaken', () => () => false),
  },
  {
    name: 'duplicate-name-answered-with-409',
    requirements: [`${section}/duplicate-name`],
    change: replaceRule('duplicateTokenName', (documented) => (name, context) => ({
      ...documented(name, context),
      status: 409,
    })),
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
    name: 'unknown-scope-accepted',
    requirements: [`${section}/unknown-scope`],
    change: replaceRule('scopeKnown', () => () => true),
  },
  {
    name: 'token-value-in-listing',
    requirements: [`${section}/value-shown-once`],
    change: replaceRule('repositoryRecord', (documented) => (repository, context) => {
      const record = documented(repository, context)
      const credentials = context.credentials
      if (context.endpoint !== 'user-repositories' || credentials === undefined) return record
      if (!('token' in credentials) || typeof record !== 'object') return record
      const address = context.deployment.baseUrl.replace('://', `://${credentials.token}@`)
      return { ...record, clone_url: `${address}/${repository.owner}/${repository.name}.git` }
    }),
  },
  {
    name: 'token-value-in-duplicate-name-message',
    requirements: [`${section}/value-shown-once`],
    change: replaceRule('duplicateTokenName', (documented) => (name, context) => {
      const refusal = documented(name, context)
      const token = context.deployment.store.tokens().find((other) => other.name === name)
      return { ...refusal, message: `${refusal.message} (${token?.value})` }
    }),
  },
]
