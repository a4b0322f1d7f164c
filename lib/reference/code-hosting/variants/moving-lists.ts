import { tolerance } from '../../tolerance-ids.ts'
import type { Deployment } from '../deployment.ts'
import { logins } from '../population.ts'
import type { RuleChange } from '../rules.ts'
import type { Variant } from '../variant.ts'

/** What is judged of a list that may change while it is read. */
const rows = [
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
  ].map((name) => `code-hosting/pagination/${name}`),
  'code-hosting/settings/agree-with-pagination',
  'code-hosting/scopes/public-only-shows-public',
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
]

const ofSeveralPages = ['code-hosting/pagination/short-page-is-not-the-end']
const tolerances = tolerance('moving-data', rows)

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
  isMoment: (listing: number) => boolean,
): RuleChange {
  return (rules) => {
    let listings = 0
    return {
      ...rules,
      begin: (context) => {
        if (context.endpoint === 'user-repositories') {
          listings += 1
          if (isMoment(listings)) change(context.deployment)
        }
        return rules.begin(context)
      },
    }
  }
}

/** Two moments, since what a list showed before and after one is read again twice at most. */
const twice = (listing: number) => listing === 9 || listing === 35
const always = (listing: number) => listing % 4 === 0

/** Lists that change while they are read. */
export const movingListVariants: readonly Variant[] = [
  { name: 'list-that-grows', tolerances, change: changing(grow, twice) },
  { name: 'list-that-shrinks', tolerances, change: changing(shrink, twice) },
  { name: 'list-that-is-rearranged', tolerances, change: changing(rearrange, twice) },
  {
    name: 'list-of-one-page-that-grows',
    population: { mainRepositories: 5 },
    tolerances,
    unjudged: ofSeveralPages,
    change: changing(grow, twice),
  },
  {
    name: 'list-of-one-page-that-shrinks',
    population: { mainRepositories: 5 },
    tolerances,
    unjudged: ofSeveralPages,
    change: changing(shrink, twice),
  },
  {
    name: 'list-without-total-count-that-shrinks-to-a-page',
    population: { mainRepositories: 26 },
    change: (rules) => ({
      ...changing(shrink, (listing) => listing === 5)(rules),
      totalCount: () => undefined,
    }),
  },
  {
    name: 'list-that-never-settles-inconclusive',
    verdict: 'inconclusive',
    change: changing(grow, always),
  },
  {
    name: 'list-in-random-order-inconclusive',
    verdict: 'inconclusive',
    change: changing(shuffle, () => true),
  },
]
