import { Refusal } from '../../endpoints.ts'
import { responseParts } from '../../http.ts'
import { noTolerance, ofSection, tolerance } from '../../service.ts'
import { altered, on, type RuleChange, variantsOf } from '../changes.ts'
import type { Deployment, Repository } from '../deployment.ts'
import { logins } from '../population.ts'

/** The items, each time with another one first. */
export function inTurns() {
  let turns = 0
  return <Item>(items: readonly Item[]): Item[] => {
    turns += 1
    const first = turns % Math.max(1, items.length)
    return [...items.slice(first), ...items.slice(0, first)]
  }
}

const isNoNumber = (value: string | null) => value !== null && !/^[+-]?\d+$/.test(value)

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

const wrongNumbersRefused = on('user-repositories', {
  begin: ({ url: { searchParams } }) => {
    const wrong = ['page', 'limit'].find((name) => isNoNumber(searchParams.get(name)))
    if (wrong !== undefined) throw new Refusal(400, `${wrong} must be a number`)
    return undefined
  },
})

/** What is judged of a list that may change while it is read. */
const moving = tolerance('moving-data', [
  ofSection(
    'pagination',
    'default-limit + limit-not-positive + limit-honoured + limit-lowered + first-page-default',
  ),
  ofSection('pagination', 'short-page-is-not-the-end + page-below-one + page-header + walk'),
  ofSection('pagination', 'per-page-header + has-more-header + total-count + exposed-headers'),
  ofSection('pagination', 'link-when-several-pages + link-form + link-relations + link-targets'),
  'pagination/past-the-end + settings/agree-with-pagination + scopes/public-only-shows-public',
  'authentication/sudo-header + authentication/sudo-query',
])

const onOnePage = {
  population: { mainRepositories: 5 },
  unjudged: ['pagination/short-page-is-not-the-end'],
}

function grow({ store }: Deployment): void {
  const name = `arrival-${store.repositories.length}`
  store.addRepository({ owner: logins.main, name, description: 'Made while the list was read' })
}

/** Takes away the last one that nothing else needs. */
function shrink({ store: { repositories } }: Deployment): readonly Repository[] {
  const index = repositories.findLastIndex(({ name }) => name.startsWith('chart-'))
  return index < 0 ? [] : repositories.splice(index, 1)
}

/** The last one comes first, as in a list of what was changed of late. */
function rearrange(deployment: Deployment): void {
  deployment.store.repositories.unshift(...shrink(deployment))
}

function shuffle({ store: { repositories } }: Deployment): void {
  for (let last = repositories.length - 1; last > 0; last -= 1) {
    repositories.push(...repositories.splice(Math.floor(Math.random() * (last + 1)), 1))
  }
}

/** Two moments, since what a list showed before and after one is read again twice at most. */
const twice = (listing: number) => listing === 9 || listing === 35

type ListChange = (deployment: Deployment) => void

/** @param isMoment whether the list changes before that listing, counted from 1 */
const changing =
  (change: ListChange, isMoment: (listing: number) => boolean = twice): RuleChange =>
  (rules) => {
    let listings = 0
    return on('user-repositories', {
      begin: (context) => {
        listings += 1
        if (isMoment(listings)) change(context.deployment)
        return rules.begin(context)
      },
    })(rules)
  }

const unsettled = (change: ListChange, every: number) =>
  ({
    verdict: 'inconclusive',
    change: changing(change, (listing) => listing % every === 0),
  }) as const

const withoutTotal = { totalCount: () => undefined }

const MOST_PAGES = { PROBE_MAX_PAGES: '12' }

export const listVariants = variantsOf({
  'pagination/total-count/not-counted': {
    'no-total-count': {
      unjudged: ['pagination/total-count'],
      becoming: { 'pagination/exposed-headers': 'skipped' },
      change: withoutTotal,
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
  [tolerance(
    'any-order',
    'resources/repositories + pagination/first-page-default + pagination/page-below-one',
  )]: { 'items-of-a-page-in-turns': (rules) => altered('pageItems', inTurns())(rules) },
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
      change: [changing(shrink, (listing) => listing === 5), withoutTotal],
    },
    'list-that-never-settles-inconclusive': unsettled(grow, 4),
    'list-in-random-order-inconclusive': unsettled(shuffle, 1),
    'account-of-too-many-repositories-inconclusive': {
      population: { mainRepositories: 10_000 },
      verdict: 'inconclusive',
      becoming: {
        'scopes/public-only-listing': 'inconclusive',
        'scopes/public-only-shows-public': 'inconclusive',
        'authentication/sudo-header': 'pass',
      },
      environment: { ...MOST_PAGES, CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.main}/chart-5003` },
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
