import { fail, HttpError } from '../../http.ts'
import { inSection, tolerance } from '../../rule-tables.ts'
import { alter, alterParts, on, onlyIf, type RuleChange, uses } from '../changes.ts'
import { isPastEnd } from '../requests.ts'
import { type CodeHostingServer, logins, type Repository } from '../server.ts'

export function inTurns() {
  let turns = 0
  return <Item>(items: readonly Item[]): Item[] => {
    turns += 1
    const first = turns % Math.max(1, items.length)
    return [...items.slice(first), ...items.slice(0, first)]
  }
}

const firstPages = ['pagination/first-page-default', 'pagination/page-below-one']
const beyond53Bits = tolerance(
  'beyond-53-bits',
  ...inSection('pagination', 'page-below-one', 'past-the-end'),
)
const beyond63Bits = tolerance(
  'beyond-63-bits',
  ...inSection('pagination', 'limit-lowered', 'limit-not-positive'),
)

const rejectLargeNumbers = on('user-repositories', ({ begin }) => ({
  begin: (context) => {
    const { searchParams } = context.url
    const limit = searchParams.get('limit') ?? ''
    const isBeyond53Bits = Math.abs(Number(searchParams.get('page'))) >= 2 ** 53
    if (isBeyond53Bits) throw new HttpError(422, 'page: out of range')
    if (/^-?\d+$/.test(limit) && BigInt.asIntN(64, BigInt(limit)) !== BigInt(limit)) {
      throw new HttpError(400, 'limit: out of range')
    }
    return begin(context)
  },
}))

/** Requirements that the checks judge on a list that may change meanwhile. */
const moving = tolerance(
  'moving-data',
  ...inSection('pagination', 'default-limit', 'limit-not-positive', 'limit-honoured', 'walk'),
  ...inSection('pagination', 'limit-lowered', 'first-page-default', 'short-page-is-not-the-end'),
  ...inSection('pagination', 'page-below-one', 'page-header', 'per-page-header', 'past-the-end'),
  ...inSection('pagination', 'has-more-header', 'total-count', 'exposed-headers', 'link-form'),
  ...inSection('pagination', 'link-when-several-pages', 'link-relations', 'link-targets'),
  ...inSection('authentication', 'sudo-header', 'sudo-query', 'sudo-admin-only'),
  ...['settings/agree-with-pagination', 'scopes/public-only-shows-public'],
  'resources/listed-repository',
)

const onOnePage = {
  population: { mainRepositories: 5 },
  unjudged: ['pagination/short-page-is-not-the-end'],
}

function grow({ store }: CodeHostingServer): void {
  const name = `arrival-${store.repositories.length}`
  store.addRepository({ owner: logins.main, name, description: 'Created while the list was read' })
}

/** Removes the last repository that no check needs. */
function shrink({ store: { repositories } }: CodeHostingServer): readonly Repository[] {
  const index = repositories.findLastIndex(({ name }) => name.startsWith('chart-'))
  return index < 0 ? [] : repositories.splice(index, 1)
}

/** Moves the last repository to the front, like a list sorted by time of change. */
function rearrange(server: CodeHostingServer): void {
  server.store.repositories.unshift(...shrink(server))
}

function shuffle({ store: { repositories } }: CodeHostingServer): void {
  for (let last = repositories.length - 1; last > 0; last -= 1) {
    repositories.push(...repositories.splice(Math.floor(Math.random() * (last + 1)), 1))
  }
}

/**
 * Changes the list before some requests, counted from 1; by default twice, because a check reads a changed list again at
 * most twice.
 */
const changing =
  (
    change: (server: CodeHostingServer) => unknown,
    isMoment: (listing: number) => boolean = (listing) => [5, 20].includes(listing),
  ): RuleChange =>
  (rules) => {
    let listings = 0
    return on('user-repositories', {
      begin: (context) => {
        listings += 1
        if (isMoment(listings)) change(context.server)
        return rules.begin(context)
      },
    })(rules)
  }

const withoutTotal = { totalCount: () => undefined }

const MAX_PAGES = { PROBE_MAX_PAGES: '12' }

export const listVariants = [
  uses('pagination/total-count/not-counted', {
    'no-total-count': {
      unjudged: ['pagination/total-count'],
      expectedVerdicts: { 'pagination/exposed-headers': 'pass' },
      change: withoutTotal,
    },
  }),
  uses(
    [
      tolerance(
        ['further-names', 'any-case-and-order', 'only-with-origin'],
        'pagination/exposed-headers',
      ),
      tolerance('relations-to-itself', 'pagination/link-relations'),
    ],
    {
      'exposed-headers-for-its-own-origin-and-more-relations': [
        alter('exposedHeaders', (names) =>
          ['ETag', ...names].map((name) => name.toUpperCase()).toReversed(),
        ),
        alter('linkRelations', (entries, { page, lastPage }) => [
          ...entries,
          ...(page === 1 ? [{ relation: 'first', page }] : []),
          ...(page === lastPage ? [{ relation: 'last', page }] : []),
        ]),
        onlyIf(
          ({ headers, url }) => headers.get('Origin') !== url.origin,
          alterParts(({ headers }) => void headers.delete('Access-Control-Expose-Headers')),
        ),
      ],
    },
  ),
  uses('pagination/link-relations/not-counted', {
    'last-link-missing-without-total-count': {
      expectedVerdicts: { 'pagination/total-count': 'skipped' },
      change: [
        withoutTotal,
        alter('linkRelations', (entries) => entries.filter(({ relation }) => relation !== 'last')),
      ],
    },
  }),
  uses('pagination/past-the-end/any-rejection', {
    'page-past-the-end-missing': onlyIf(isPastEnd, {
      pageItems: (_items, { page }) => fail(new HttpError(404, `page ${page} does not exist`)),
    }),
  }),
  uses('pagination/past-the-end/last-page', {
    'last-page-for-pages-past-the-end': (rules) => ({
      effectivePage: (requested, context) => {
        const { server, url, caller } = context
        const { store, settings } = server
        const limit = rules.effectiveLimit(url.searchParams.get('limit'), settings, context)
        const { length } = store.repositoriesOf(caller?.account.login ?? '')
        const last = rules.lastPage(length, limit, context)
        return Math.min(rules.effectivePage(requested, context), last)
      },
    }),
  }),
  uses([beyond63Bits, beyond53Bits], { 'numbers-beyond-their-bits-rejected': rejectLargeNumbers }),
  uses(tolerance('any-order', 'resources/repositories', ...firstPages), {
    'items-of-a-page-in-turns': (rules) => alter('pageItems', inTurns())(rules),
  }),
  uses(moving, {
    'list-that-grows': changing(grow),
    'list-that-shrinks': changing(shrink),
    'list-that-is-rearranged': changing(rearrange),
    'list-of-one-page-that-grows': { ...onOnePage, change: changing(grow) },
  }),
  uses([], {
    'no-link-past-the-end': onlyIf(isPastEnd, { linkNeeded: () => false }),
    'list-without-total-count-that-shrinks-to-a-page': {
      population: { mainRepositories: 26 },
      change: [changing(shrink, (listing) => listing === 5), withoutTotal],
    },
    'list-that-never-settles-inconclusive': changing(grow, (listing) => listing % 4 === 0),
    'list-in-random-order-inconclusive': changing(shuffle, () => true),
    'account-of-too-many-repositories-inconclusive': {
      population: { mainRepositories: 10_000 },
      expectedVerdicts: {
        'scopes/public-only-listing': 'inconclusive',
        'scopes/public-only-shows-public': 'inconclusive',
        'authentication/sudo-header': 'pass',
      },
      environment: { ...MAX_PAGES, CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.main}/chart-5003` },
    },
    'private-repository-first-of-too-many-inconclusive': {
      population: { mainRepositories: 2_000 },
      expectedVerdicts: { 'scopes/public-only-listing': 'inconclusive' },
      environment: (environment, { store: { repositories } }) => {
        const index = repositories.findIndex((repository) => repository.private)
        repositories.unshift(...repositories.splice(index, 1))
        return { ...environment, ...MAX_PAGES }
      },
    },
  }),
].flat()
