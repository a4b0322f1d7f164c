import { expect, it } from 'vitest'
import { exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { targetWith } from '../service.fixture.ts'
import { UNRELATED_SCOPE } from '../tokens/scopes.ts'
import { expectedAccess } from './access.ts'
import type { Case } from './case.ts'
import type { ListCase } from './list-table.ts'
import { hasBody, type ResponseRule, responseRuleIds, responseRules } from './response-rules.ts'

const { settings } = targetWith()
const byBearer = { resource: 'user', actor: 'main', sentAs: 'Bearer', scopes: ['all'] } as const

const list = { ...byBearer, resource: 'repositories', limit: 'maximum', page: '1' } as const
const cases: Readonly<Record<string, Case | ListCase>> = {
  user: byBearer,
  'user by any credentials': { ...byBearer, sentAs: 'any valid' },
  'user by bearer': { ...byBearer, sentAs: 'bearer' },
  'user by TOKEN': { ...byBearer, sentAs: 'TOKEN' },
  'user by parameter': { ...byBearer, sentAs: '?token=' },
  'user by password': { ...byBearer, sentAs: 'Basic' },
  'user without credentials': { ...byBearer, actor: 'anonymous' },
  'user without credentials, with Sudo': {
    ...byBearer,
    actor: 'anonymous',
    sudo: { as: 'main', in: 'header' },
  },
  'user by a deleted token': { ...byBearer, problem: 'deleted' },
  'user without a scope': { ...byBearer, scopes: [UNRELATED_SCOPE] },
  'repositories without a scope': { ...list, scopes: ['read:admin'] },
  list,
  'list of an open limit': { ...list, limit: '2^63' },
  repository: { ...byBearer, resource: 'public repository' },
  'hidden repository': { ...byBearer, resource: 'private repository', actor: 'other' },
  settings: { ...byBearer, resource: 'settings' },
  creation: { ...byBearer, resource: 'tokens of the main account', sentAs: 'Basic' },
  'creation by a token': { ...byBearer, resource: 'tokens of the main account' },
  'archived change': { ...byBearer, resource: 'archived change' },
  'no-content change': { ...byBearer, resource: 'no-content change' },
}

const planned = (rule: ResponseRule, changes = {}) =>
  Object.entries(cases).flatMap(([name, one]) => {
    const access = expectedAccess(one, { ...settings, ...changes })
    return access && rule.plans(one, access) ? name : []
  })

const users = [
  ...['user', 'user by any credentials', 'user by bearer', 'user by TOKEN', 'user by parameter'],
  'user by password',
]
const errors = [
  ...['user without credentials', 'user without credentials, with Sudo'],
  ...['user by a deleted token', 'user without a scope'],
  ...['repositories without a scope', 'hidden repository', 'creation by a token'],
]
const changes = ['archived change', 'no-content change']
const byScheme = [
  ...['user', 'user by any credentials', 'user by bearer', 'user without a scope'],
  ...['repositories without a scope', 'list', 'list of an open limit', 'repository'],
  ...['hidden repository', ...changes],
]
const all = Object.keys(cases)

const expected: Record<keyof typeof responseRules, readonly string[]> = {
  'code-hosting/authentication/bearer-not-deprecated': byScheme,
  'code-hosting/authentication/legacy-deprecation-header': ['user by TOKEN'],
  'code-hosting/authentication/legacy-sunset-header': ['user by TOKEN'],
  'code-hosting/authentication/legacy-warning-header': ['user by TOKEN'],
  'code-hosting/tokens/created': ['creation'],
  'code-hosting/tokens/last-eight': ['creation'],
  'code-hosting/tokens/value-shown-once': all,
  'code-hosting/resources/user': users,
  'code-hosting/resources/repository': ['repository'],
  'code-hosting/resources/repositories': ['list', 'list of an open limit'],
  'code-hosting/resources/json': all.filter((name) => !changes.includes(name)),
  'code-hosting/pagination/page-header': ['list'],
  'code-hosting/pagination/per-page-header': ['list'],
  'code-hosting/pagination/has-more-header': ['list'],
  'code-hosting/pagination/total-count': ['list'],
  'code-hosting/pagination/link-when-several-pages': ['list'],
  'code-hosting/pagination/link-relations': ['list'],
  'code-hosting/pagination/exposed-headers': ['list'],
  'code-hosting/errors/body': [...errors, 'archived change'],
  'code-hosting/errors/documentation-link': [...errors, 'archived change'],
  'code-hosting/errors/no-content': ['no-content change'],
  'code-hosting/errors/server-error-message': [],
  'code-hosting/errors/no-rate-limit-headers': all,
}

it.each(responseRuleIds)('%s is planned for the cases whose response it is about', (id) => {
  expect(planned(responseRules[id])).toEqual(expected[id])
})

it('plans no headers of the legacy scheme where it is disabled', () => {
  const rule = responseRules['code-hosting/authentication/legacy-sunset-header']
  expect(planned(rule, { allowLegacyTokenScheme: false })).toEqual([])
})

it.each([
  [200, '{}', true],
  [200, '', false],
  [299, '{}', true],
  // A redirection may have a page for people.
  [300, '{}', false],
  [399, '{}', false],
  [400, '{}', true],
  [500, '', false],
])('expects JSON in a response %d with the body "%s": %s', (status, text, isExpected) => {
  expect(hasBody(exchangeWith({ status, text }))).toBe(isExpected)
})
