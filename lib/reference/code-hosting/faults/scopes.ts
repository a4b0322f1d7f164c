import type { Fault } from '../fault.ts'
import { on, refusedWith } from '../refusal-change.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/scopes'

type Grants = (
  granted: readonly string[],
  required: readonly string[],
  context: RequestContext,
) => boolean

/** Grants more than the document does. */
function alsoGranted(grants: Grants): RuleChange {
  return replaceRule(
    'grants',
    (documented) => (granted, required, context) =>
      grants(granted, required, context) || documented(granted, required, context),
  )
}

/** Grants less than the document does. */
function notGranted(denies: Grants): RuleChange {
  return replaceRule(
    'grants',
    (documented) => (granted, required, context) =>
      !denies(granted, required, context) && documented(granted, required, context),
  )
}

/** A token without `all` that has no write scope which opens the endpoint. */
const readsAlone: Grants = (granted, required) =>
  !granted.includes('all') &&
  !required.some((scope) => granted.includes(scope.replace('read:', 'write:')))

/** Faults in what scopes grant. */
export const scopeFaults: readonly Fault[] = [
  {
    name: 'scope-answered-with-401',
    requirements: [`${section}/missing-scope-status`, `${section}/public-only-grants-nothing`],
    change: refusedWith('missingScope', { status: 401 }),
  },
  {
    name: 'scope-answered-with-401-on-repositories',
    requirements: [`${section}/missing-scope-status`],
    change: refusedWith('missingScope', { status: 401 }, on('repository')),
  },
  {
    name: 'scope-answered-with-404-on-repositories',
    requirements: [`${section}/missing-scope-status`],
    change: refusedWith('missingScope', { status: 404 }, on('repository')),
  },
  {
    name: 'read-scope-of-repositories-grants-nothing',
    requirements: [`${section}/read-suffices`],
    change: notGranted(
      (granted, required, context) =>
        context.endpoint === 'repository' && readsAlone(granted, required, context),
    ),
  },
  {
    name: 'read-scope-of-the-user-grants-nothing',
    requirements: [`${section}/read-suffices`],
    change: notGranted(
      (granted, required, context) =>
        context.endpoint === 'user' && readsAlone(granted, required, context),
    ),
  },
  {
    name: 'read-scopes-do-not-open-the-list',
    requirements: [`${section}/read-suffices`],
    change: notGranted(
      (granted, required, context) =>
        context.endpoint === 'user-repositories' && readsAlone(granted, required, context),
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
    name: 'write-of-repositories-does-not-include-read',
    requirements: [`${section}/write-includes-read`],
    change: notGranted(
      (granted, required, context) =>
        context.endpoint === 'repository' &&
        !granted.some((scope) => scope === 'all' || required.includes(scope)),
    ),
  },
  {
    name: 'all-does-not-open-repositories',
    requirements: [`${section}/all`, 'code-hosting/resources/repository'],
    change: notGranted(
      (granted, _required, { endpoint }) => endpoint === 'repository' && granted.includes('all'),
    ),
  },
  {
    name: 'all-does-not-open-the-user',
    requirements: [`${section}/all`],
    change: notGranted(
      (granted, _required, { endpoint }) => endpoint === 'user' && granted.includes('all'),
    ),
  },
  {
    name: 'write-scopes-grant-every-category',
    requirements: [`${section}/categories-separate`],
    change: alsoGranted((granted) => granted.some((scope) => scope.startsWith('write:'))),
  },
  {
    name: 'write-of-organizations-opens-repositories',
    requirements: [`${section}/categories-separate`],
    change: alsoGranted(
      (granted, required) =>
        required.includes('read:repository') && granted.includes('write:organization'),
    ),
  },
  {
    name: 'read-of-packages-opens-repositories',
    requirements: [`${section}/categories-separate`],
    change: alsoGranted(
      (granted, required) =>
        required.includes('read:repository') && granted.includes('read:package'),
    ),
  },
  {
    name: 'scopes-of-repositories-open-the-user',
    requirements: [`${section}/categories-separate`],
    change: alsoGranted(
      (granted, required) =>
        required.includes('read:user') && granted.some((scope) => scope.endsWith(':repository')),
    ),
  },
]
