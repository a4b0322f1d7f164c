import { refuse } from '../../http.ts'
import { tolerance, variantsOf } from '../../service.ts'
import { on, type RuleChange } from '../changes.ts'
import type { Deployment } from '../deployment.ts'
import { type Configuration, logins } from '../population.ts'
import type { Rules } from '../rules.ts'

const section = 'code-hosting/pagination'
const listing = 'code-hosting/resources/repositories'
const json = 'code-hosting/resources/json'

/** The items of a page come in another order each time. */
const itemsInTurns: RuleChange = (rules) => {
  let turns = 0
  return {
    pageItems: (items, paging, context) => {
      const shown = rules.pageItems(items, paging, context)
      turns += 1
      const first = turns % Math.max(1, shown.length)
      return [...shown.slice(first), ...shown.slice(0, first)]
    },
  }
}

function isNoNumber(value: string | null): boolean {
  return value !== null && !/^[+-]?\d+$/.test(value)
}

/** A page or limit that is no number leads to the list without it. */
const wrongNumbersRedirected = on('user-repositories', (rules) => ({
  begin: (context) => {
    const { searchParams, pathname } = context.url
    const wrong = ['page', 'limit'].find((name) => isNoNumber(searchParams.get(name)))
    if (wrong === undefined) return rules.begin(context)
    const headers = new Headers({ Location: pathname })
    if (wrong === 'limit') return { status: 302, headers }
    headers.set('Content-Type', 'text/html')
    return { status: 301, headers, body: `<a href="${pathname}">Moved</a>` }
  },
}))

const wrongNumbersRefused: RuleChange = (rules) => {
  const refuseUnlessNumber = (name: string, value: string | null) => {
    if (isNoNumber(value)) refuse({ status: 400, message: `${name} must be a number` })
  }
  return {
    effectivePage: (requested, context) => {
      refuseUnlessNumber('page', requested)
      return rules.effectivePage(requested, context)
    },
    effectiveLimit: (requested, settings, context) => {
      refuseUnlessNumber('limit', requested)
      return rules.effectiveLimit(requested, settings, context)
    },
  }
}

/** What is judged of a list that may change while it is read. */
const rowsOfMovingLists = [
  ...[
    'default-limit',
    'limit-not-positive',
    'limit-honoured',
    'limit-lowered',
    'short-page-is-not-the-end',
    'first-page-default',
    'page-below-one',
    'page-header',
    'per-page-header',
    'has-more-header',
    'total-count',
    'link-when-several-pages',
    'link-form',
    'link-relations',
    'link-targets',
    'walk',
    'past-the-end',
    'exposed-headers',
  ].map((name) => `${section}/${name}`),
  'code-hosting/settings/agree-with-pagination',
  'code-hosting/scopes/public-only-shows-public',
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
]

const moving = { tolerances: tolerance('moving-data', rowsOfMovingLists) }
const movingOnOnePage = {
  ...moving,
  population: { mainRepositories: 5 },
  unjudged: [`${section}/short-page-is-not-the-end`],
}

function grow({ store }: Deployment): void {
  const name = `arrival-${store.repositories.length}`
  const description = 'Made while the list was read'
  store.addRepository({ owner: logins.main, name, private: false, archived: false, description })
}

/** Takes away the last one that nothing else needs. */
function shrink({ store: { repositories } }: Deployment): void {
  const index = repositories.findLastIndex(({ name }) => name.startsWith('chart-'))
  if (index >= 0) repositories.splice(index, 1)
}

/** The last one comes first, as in a list of what was changed of late. */
function rearrange({ store: { repositories } }: Deployment): void {
  const index = repositories.findLastIndex(({ name }) => name.startsWith('chart-'))
  repositories.unshift(...repositories.splice(index, 1))
}

function shuffle({ store: { repositories } }: Deployment): void {
  for (let last = repositories.length - 1; last > 0; last -= 1) {
    repositories.push(...repositories.splice(Math.floor(Math.random() * (last + 1)), 1))
  }
}

/** @param isMoment whether the list changes before that listing, counted from 1 */
function changing(
  change: (deployment: Deployment) => void,
  isMoment: (listing: number) => boolean = twice,
): RuleChange {
  return (rules) => {
    let listings = 0
    return on('user-repositories', {
      begin: (context) => {
        listings += 1
        if (isMoment(listings)) change(context.deployment)
        return rules.begin(context)
      },
    })(rules)
  }
}

/** Two moments, since what a list showed before and after one is read again twice at most. */
function twice(listing: number): boolean {
  return listing === 9 || listing === 35
}

/** Other lists and other headers with them, and lists that change while they are read. */
export const listVariants = variantsOf<Rules, Deployment, Configuration>({
  'no-total-count': {
    tolerances: [`${section}/total-count/not-counted`],
    unjudged: [`${section}/total-count`],
    becoming: { [`${section}/exposed-headers`]: 'skipped' },
    change: { totalCount: () => undefined },
  },
  'more-exposed-headers': {
    tolerances: [`${section}/exposed-headers/further-names`],
    change: (rules) => ({
      exposedHeaders: (context) => [
        'ETag',
        ...rules.exposedHeaders(context).map((name) => name.toLowerCase()),
      ],
    }),
  },
  'exposed-headers-in-another-order': {
    tolerances: [`${section}/exposed-headers/any-case-and-order`],
    change: (rules) => ({
      exposedHeaders: (context) =>
        rules
          .exposedHeaders(context)
          .map((name) => name.toUpperCase())
          .toReversed(),
    }),
  },
  'repositories-in-another-order': {
    tolerances: [`${listing}/any-order`],
    change: (rules) => ({
      pageItems: (items, paging, context) => rules.pageItems(items.toReversed(), paging, context),
    }),
  },
  'items-of-a-page-in-turns': {
    tolerances: tolerance('any-order', [
      listing,
      `${section}/first-page-default`,
      `${section}/page-below-one`,
    ]),
    change: itemsInTurns,
  },
  'wrong-numbers-redirected': {
    tolerances: [`${json}/redirects`, `${json}/no-body`],
    change: wrongNumbersRedirected,
  },
  'wrong-numbers-refused': { change: wrongNumbersRefused },
  'list-that-grows': { ...moving, change: changing(grow) },
  'list-that-shrinks': { ...moving, change: changing(shrink) },
  'list-that-is-rearranged': { ...moving, change: changing(rearrange) },
  'list-of-one-page-that-grows': { ...movingOnOnePage, change: changing(grow) },
  'list-of-one-page-that-shrinks': { ...movingOnOnePage, change: changing(shrink) },
  'list-without-total-count-that-shrinks-to-a-page': {
    population: { mainRepositories: 26 },
    change: (rules) => ({
      ...changing(shrink, (listing) => listing === 5)(rules),
      totalCount: () => undefined,
    }),
  },
  'list-that-never-settles-inconclusive': {
    verdict: 'inconclusive',
    change: changing(grow, (listing) => listing % 4 === 0),
  },
  'list-in-random-order-inconclusive': {
    verdict: 'inconclusive',
    change: changing(shuffle, () => true),
  },
  'account-of-too-many-repositories-inconclusive': {
    population: { mainRepositories: 10_000 },
    verdict: 'inconclusive',
    becoming: {
      'code-hosting/scopes/public-only-listing': 'inconclusive',
      'code-hosting/scopes/public-only-shows-public': 'inconclusive',
    },
    environment: (environment) => ({
      ...environment,
      PROBE_MAX_PAGES: '12',
      CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.main}/chart-5003`,
    }),
  },
  'private-repository-first-of-too-many-inconclusive': {
    population: { mainRepositories: 2_000 },
    verdict: 'inconclusive',
    becoming: { 'code-hosting/scopes/public-only-listing': 'inconclusive' },
    environment: (environment, { store: { repositories } }) => {
      const index = repositories.findIndex((repository) => repository.private)
      repositories.unshift(...repositories.splice(index, 1))
      return { ...environment, PROBE_MAX_PAGES: '12' }
    },
  },
})
