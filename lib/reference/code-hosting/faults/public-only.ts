import type { Fault } from '../fault.ts'
import { refusedWith } from '../refusal-change.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Repository } from '../store.ts'

const section = 'code-hosting/scopes'

type Hides = (
  repository: Repository,
  context: RequestContext,
  documented: (context: RequestContext) => boolean,
) => boolean

/** Hides other repositories from tokens with `public-only`, and from no others. */
function hidden(hides: Hides): RuleChange {
  return replaceRule(
    'publicOnlyHides',
    (documented) => (repository, scopes, context) =>
      scopes.includes('public-only') &&
      hides(repository, context, () => documented(repository, scopes, context)),
  )
}

/** Lets tokens with `public-only` and no other scope do what these endpoints do. */
function grantedAlone(opens: (context: RequestContext) => boolean): RuleChange {
  return replaceRule(
    'grants',
    (documented) => (granted, required, context) =>
      (granted.includes('public-only') && opens(context)) || documented(granted, required, context),
  )
}

/** Faults in the scope `public-only`. */
export const publicOnlyFaults: readonly Fault[] = [
  {
    name: 'public-only-grants-everything',
    requirements: [`${section}/public-only-grants-nothing`],
    change: grantedAlone(() => true),
  },
  {
    name: 'public-only-opens-public-repositories',
    requirements: [`${section}/public-only-grants-nothing`],
    change: grantedAlone(({ endpoint }) => endpoint === 'repository'),
  },
  {
    name: 'public-only-opens-the-list',
    requirements: [`${section}/public-only-grants-nothing`],
    change: grantedAlone(({ endpoint }) => endpoint === 'user-repositories'),
  },
  {
    name: 'public-only-ignored-in-listing',
    requirements: [`${section}/public-only-listing`],
    change: hidden(
      (_repository, context, documented) =>
        context.endpoint !== 'user-repositories' && documented(context),
    ),
  },
  {
    name: 'public-only-ignored-behind-the-first-page',
    // What is hidden on the first page alone is not counted there either.
    requirements: [`${section}/public-only-listing`, 'code-hosting/pagination/total-count'],
    change: hidden((_repository, context, documented) => {
      const first = (context.url.searchParams.get('page') ?? '1') === '1'
      return (first || context.endpoint !== 'user-repositories') && documented(context)
    }),
  },
  {
    name: 'public-only-ignored-on-the-record',
    requirements: [`${section}/public-only-hides-private`],
    change: hidden(
      (_repository, context, documented) =>
        context.endpoint !== 'repository' && documented(context),
    ),
  },
  {
    name: 'public-only-answered-with-401',
    requirements: [`${section}/public-only-hides-private`],
    change: refusedWith('hiddenByPublicOnly', { status: 401 }),
  },
  {
    name: 'public-only-error-sent-with-200',
    requirements: [`${section}/public-only-hides-private`],
    change: refusedWith('hiddenByPublicOnly', { status: 200 }),
  },
  {
    name: 'public-only-hides-public',
    requirements: [`${section}/public-only-shows-public`],
    change: hidden(
      (_repository, context, documented) =>
        context.endpoint === 'repository' || documented(context),
    ),
  },
  {
    name: 'public-only-empties-the-list',
    requirements: [`${section}/public-only-shows-public`],
    change: hidden(
      (_repository, context, documented) =>
        context.endpoint === 'user-repositories' || documented(context),
    ),
  },
]
