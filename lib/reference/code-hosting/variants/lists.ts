import { refuse } from '../../endpoints.ts'
import { responseParts } from '../../http.ts'
import { noTolerance, tolerance } from '../../service.ts'
import type { Deployment } from '../deployment.ts'
import { logins } from '../population.ts'
import { altered, on, type RuleChange, variantsOf } from '../rules.ts'

/** The items of a page come in another order each time. */
const itemsInTurns: RuleChange = (rules) => {
  let turns = 0
  return altered('pageItems', (shown) => {
    turns += 1
    const first = turns % Math.max(1, shown.length)
    return [...shown.slice(first), ...shown.slice(0, first)]
  })(rules)
}

function isNoNumber(value: string | null): boolean {
  return value !== null && !/^[+-]?\d+$/.test(value)
}

/** A page or limit that is no number leads to the list without it. */
const wrongNumbersRedirected = on('user-repositories', ({ begin }) => ({
  begin: (context) => {
    const { searchParams, pathname: Location } = context.url
    if (isNoNumber(searchParams.get('page'))) {
      const fields = { Location, 'Content-Type': 'text/html' }
      return responseParts(301, fields, `<a href="${Location}">Moved</a>`)
    }
    return isNoNumber(searchParams.get('limit')) ? responseParts(302, { Location }) : begin(context)
  },
}))

function unlessNumber(name: string, asked: string | null): void {
  if (isNoNumber(asked)) refuse({ status: 400, message: `${name} must be a number` })
}

const wrongNumbersRefused: RuleChange = (rules) => ({
  effectivePage: (requested, context) => {
    unlessNumber('page', requested)
    return rules.effectivePage(requested, context)
  },
  effectiveLimit: (requested, settings, context) => {
    unlessNumber('limit', requested)
    return rules.effectiveLimit(requested, settings, context)
  },
})

/** What is judged of a list that may change while it is read. */
const moving = tolerance('moving-data', [
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
  ].map((name) => `pagination/${name}`),
  'settings/agree-with-pagination',
  'scopes/public-only-shows-public',
  'authentication/sudo-header',
  'authentication/sudo-query',
])

const onOnePage = {
  population: { mainRepositories: 5 },
  unjudged: ['pagination/short-page-is-not-the-end'],
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

/** Two moments, since what a list showed before and after one is read again twice at most. */
const twice = (listing: number) => listing === 9 || listing === 35

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

const MOST_PAGES = { PROBE_MAX_PAGES: '12' }

/** Other lists and other headers with them, and lists that change while they are read. */
export const listVariants = variantsOf({
  'pagination/total-count/not-counted': {
    'no-total-count': {
      unjudged: ['pagination/total-count'],
      becoming: { 'pagination/exposed-headers': 'skipped' },
      change: { totalCount: () => undefined },
    },
  },
  'pagination/exposed-headers/further-names': {
    'more-exposed-headers': altered('exposedHeaders', (names) => [
      'ETag',
      ...names.map((name) => name.toLowerCase()),
    ]),
  },
  'pagination/exposed-headers/any-case-and-order': {
    'exposed-headers-in-another-order': altered('exposedHeaders', (names) =>
      names.map((name) => name.toUpperCase()).toReversed(),
    ),
  },
  'resources/repositories/any-order': {
    'repositories-in-another-order': ({ pageItems }) => ({
      pageItems: (items, paging, context) => pageItems(items.toReversed(), paging, context),
    }),
  },
  [tolerance('any-order', [
    'resources/repositories',
    'pagination/first-page-default',
    'pagination/page-below-one',
  ])]: { 'items-of-a-page-in-turns': itemsInTurns },
  'resources/json/redirects + resources/json/no-body': {
    'wrong-numbers-redirected': wrongNumbersRedirected,
  },
  [moving]: {
    'list-that-grows': changing(grow),
    'list-that-shrinks': changing(shrink),
    'list-that-is-rearranged': changing(rearrange),
    'list-of-one-page-that-grows': { ...onOnePage, change: changing(grow) },
    'list-of-one-page-that-shrinks': { ...onOnePage, change: changing(shrink) },
  },
  [noTolerance]: {
    'wrong-numbers-refused': wrongNumbersRefused,
    'list-without-total-count-that-shrinks-to-a-page': {
      population: { mainRepositories: 26 },
      change: [changing(shrink, (listing) => listing === 5), { totalCount: () => undefined }],
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
        'scopes/public-only-listing': 'inconclusive',
        'scopes/public-only-shows-public': 'inconclusive',
        'authentication/sudo-header': 'pass',
      },
      environment: {
        ...MOST_PAGES,
        CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.main}/chart-5003`,
      },
    },
    'private-repository-first-of-too-many-inconclusive': {
      population: { mainRepositories: 2_000 },
      verdict: 'inconclusive',
      becoming: { 'scopes/public-only-listing': 'inconclusive' },
      environment: (environment, { store: { repositories } }) => {
        const index = repositories.findIndex((repository) => repository.private)
        repositories.unshift(...repositories.splice(index, 1))
        return { ...environment, ...MOST_PAGES }
      },
    },
  },
})
