// Predicates of requests, with which faults and variants are limited.

import type { Endpoint, Paging, PresentedCredentials, RequestContext } from './server.ts'

export const list = 'user-repositories'

export const isPage =
  (isMatch: (paging: Paging) => boolean) =>
  ({ paging }: RequestContext): boolean =>
    paging !== undefined && isMatch(paging)

export const isLaterPage = isPage(({ page }) => page > 1)
const isLastPage = isPage(({ page, lastPage }) => page === lastPage)
export const isPastEnd = isPage(({ page, lastPage }) => page > lastPage)

/** Matches requests with this query parameter: with any value, with this value, or (`null`) without it. */
export const hasQuery =
  (name: string, value?: string | null) =>
  ({ url: { searchParams } }: RequestContext): boolean =>
    value === undefined ? searchParams.has(name) : searchParams.get(name) === value

export const hasPublicOnly = ({ caller }: RequestContext): boolean =>
  caller?.scopes?.includes('public-only') === true

/** Matches requests on behalf of another user. */
export const underSudo = ({ headers, url }: RequestContext): boolean =>
  headers.has('Sudo') || url.searchParams.has('sudo')

export const usesScheme =
  (scheme: PresentedCredentials['scheme']) =>
  ({ credentials }: RequestContext) =>
    credentials?.scheme === scheme

const isOn =
  (...endpoints: readonly Endpoint[]) =>
  ({ endpoint }: RequestContext) =>
    endpoints.includes(endpoint)

export const isPrivate = ({ endpoint, parameters, server }: RequestContext) =>
  endpoint === 'repository' &&
  server.store.repository(parameters.owner ?? '', parameters.repo ?? '')?.private === true

export const hasEmptyQueryToken = ({ url: { searchParams } }: RequestContext) =>
  searchParams.get('token') === '' || searchParams.get('access_token') === ''

const isBearerInOtherLetters = ({ headers }: RequestContext) => {
  const field = headers.get('Authorization') ?? ''
  return /^bearer /i.test(field) && !field.startsWith('Bearer ')
}

/** Limits a predicate to the requests that the tables of credentials, limits and pages have. */
const amongReads = (applies: (context: RequestContext) => boolean) => (context: RequestContext) =>
  isOn('user', list, 'settings')(context) && applies(context)

const onListPage = (isMatch: (paging: Paging) => boolean) => amongReads(isPage(isMatch))

const hasSmallLimit = isPage(({ limit }) => limit > 2 && limit < 20)

const hasLaterPage = ({ url }: RequestContext) => Number(url.searchParams.get('page')) > 1

/** Requests that show a fault. A place ends the name of the fault. */
export const places = {
  // Endpoints.
  'on-the-user': isOn('user'),
  'without-accounts': isOn('user'),
  'on-the-list': isOn(list),
  'on-a-repository': isOn('repository'),
  'on-repositories': isOn('repository'),
  'on-packages': isOn('packages'),
  'on-token-creation': isOn('create-token'),
  'right-only-on-the-user': isOn(list, 'repository'),
  // Credentials.
  'for-anonymous-clients': ({ credentials }) => credentials?.scheme === 'none',
  'in-the-query': usesScheme('query'),
  'in-access-token': hasQuery('access_token'),
  'with-the-legacy-prefix': usesScheme('legacy'),
  'by-query': hasQuery('sudo'),
  'with-basic': amongReads(usesScheme('basic')),
  'with-query': amongReads(usesScheme('query')),
  'with-sudo': amongReads(({ headers }) => headers.has('Sudo')),
  'with-sudo-query': amongReads(hasQuery('sudo')),
  'with-public-only': amongReads(hasPublicOnly),
  'with-bearer-in-other-letters': isBearerInOtherLetters,
  // Limits and pages of the request.
  'without-page': hasQuery('page', null),
  'on-page-zero': hasQuery('page', '0'),
  'after-the-first-page': hasLaterPage,
  'with-a-later-page': amongReads(hasLaterPage),
  'without-limit': hasQuery('limit', null),
  'with-limit-one': hasQuery('limit', '1'),
  // Pages of the response.
  'at-small-limits': hasSmallLimit,
  'on-empty-lists': onListPage(({ total }) => total === 0),
  'on-single-page': isPage(({ lastPage }) => lastPage === 1),
  'on-first-page': isPage(({ page }) => page === 1),
  'from-the-fourth-page': isPage(({ page }) => page >= 4),
  'on-last-page': isLastPage,
  'on-a-full-last-page': onListPage((at) => at.page === at.lastPage && at.total % at.limit === 0),
  'past-the-end': isPastEnd,
} satisfies Record<string, (context: RequestContext) => boolean>
