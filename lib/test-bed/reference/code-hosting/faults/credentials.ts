// Documented features that are wrong only for one way of sending credentials.

import type { Change } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  faultsOf,
  hasQuery,
  on,
  onlyIf,
  type Rules,
  usesScheme,
} from '../changes.ts'
import type { RequestContext } from '../server.ts'
import { defaultSize, maximum, type Size } from './pages.ts'

const places = {
  basic: usesScheme('basic'),
  query: usesScheme('query'),
  legacy: usesScheme('legacy'),
  sudo: ({ headers }: RequestContext) => headers.has('Sudo'),
  'sudo-query': hasQuery('sudo'),
  'public-only': ({ caller }: RequestContext) => caller?.scopes?.includes('public-only') === true,
  'a-later-page': ({ url }: RequestContext) => Number(url.searchParams.get('page')) > 1,
}

const list = 'user-repositories'

type Ids = string | readonly string[]
type Row = readonly [Ids, name: string, Change<Rules>, at: readonly (keyof typeof places)[]]

/** Returns a fault for each row and each of its places; the place ends the name. */
const crossed = (section: string, endpoints: Parameters<typeof on>[0], rows: readonly Row[]) =>
  rows.flatMap(([requirements, name, change, at]) => {
    const faults = at.map((place) => [
      `${name}-with-${place}`,
      on(endpoints, onlyIf(places[place], change)),
    ])
    return faultsOf(section)(requirements, Object.fromEntries(faults))
  })

const without = (field: string) => alterParts(({ headers }) => void headers.delete(field))

const sizedIf = (isMatch: (requested: number, most: number) => boolean, size: Size) =>
  alter('effectiveLimit', (limit, requested, settings) =>
    requested !== null && isMatch(Number(requested), maximum(settings)) ? size(settings) : limit,
  )

const one: Size = () => 1
const ignored = sizedIf((limit, most) => limit > 0 && limit <= most, defaultSize)
const maximumForZero = sizedIf((limit) => limit === 0, maximum)
const oneForNegative = sizedIf((limit) => limit < 0, one)

export const notLowered = alter('effectiveLimit', (limit, requested) =>
  Math.max(limit, Math.min(Number(requested), Number.MAX_SAFE_INTEGER)),
)

const maximumByDefault = onlyIf(hasQuery('limit', null), {
  effectiveLimit: (_requested, settings) => maximum(settings),
})

const firstPageAgain = alter('pageItems', (shown, items, { page, limit }, { url }) => {
  const isHonoured = url.searchParams.get('limit') === String(limit)
  return page === 2 && isHonoured ? items.slice(0, limit) : shown
})

const emptyPageZero = onlyIf(hasQuery('page', '0'), { pageItems: () => [] })

const ofTheActor = alter('totalCount', (total, _paging, _shown, { caller, server }) =>
  caller ? String(server.store.repositoriesOf(caller.actor.login).length) : total,
)

/** Counts the pages of a public-only list with the repositories that it does not show. */
const ofTheMaximum = { perPage: () => '25' }
const noneMore = { hasMore: () => 'false' }
const otherSize = alter('settingsRecord', (is) => ({ ...Object(is), default_max_blob_size: 1024 }))

const links = ['link-when-several-pages', 'link-relations']

const announcing = (field: string): Row => {
  const header = `${field.toLowerCase()}-header`
  const change = onlyIf(places.legacy, without(field))
  const at = ['sudo', 'sudo-query', 'public-only', 'a-later-page'] as const
  return [`legacy-${header}`, `${header}-missing`, change, at]
}

export const credentialFaults = [
  crossed('pagination', list, [
    ['limit-lowered', 'limit-not-lowered', notLowered, ['basic', 'query', 'legacy']],
    ['limit-lowered', 'limit-not-lowered', notLowered, ['sudo', 'sudo-query', 'public-only']],
    ['limit-not-positive', 'limit-zero-gives-maximum', maximumForZero, ['basic', 'sudo']],
    ['limit-not-positive', 'negative-limit-gives-one', oneForNegative, ['query', 'public-only']],
    ['limit-honoured', 'limit-ignored', ignored, ['basic', 'sudo-query', 'public-only']],
    ['default-limit', 'default-limit-is-maximum', maximumByDefault, ['basic', 'sudo']],
    ['default-limit', 'default-limit-is-maximum', maximumByDefault, ['a-later-page']],
    ['limit-honoured', 'second-page-is-the-first', firstPageAgain, ['basic', 'sudo']],
    ['page-below-one', 'page-zero-is-empty', emptyPageZero, ['basic', 'query']],
    ['page-header', 'page-header-always-one', { currentPage: () => '1' }, ['basic', 'public-only']],
    ['per-page-header', 'per-page-header-of-the-maximum', ofTheMaximum, ['basic', 'public-only']],
    ['has-more-header', 'has-more-always-false', noneMore, ['basic', 'sudo', 'legacy']],
    ['total-count', 'total-count-missing', without('X-Total-Count'), ['basic', 'query', 'sudo']],
    ['total-count', 'total-count-of-the-actor', ofTheActor, ['sudo', 'sudo-query']],
    [links, 'link-missing', { linkNeeded: () => false }, ['basic', 'query', 'sudo', 'public-only']],
  ]),
  crossed('settings', 'settings', [['values', 'settings-of-another-size', otherSize, ['basic']]]),
  crossed('authentication', [list, 'user'], ['Deprecation', 'Sunset', 'Warning'].map(announcing)),
].flat()
