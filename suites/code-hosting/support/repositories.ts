import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { isFailedExpectation } from '../../../lib/conformance/judgement.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { currentScope } from '../../../lib/conformance/scope.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient, RepositoryPage } from '../client.ts'
import { needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { createListing, FOUNDATION_PRIORITY, type Listing } from './listing.ts'
import { CutShort, sameNames } from './page-reading.ts'

const ATTEMPTS = 3

/** Pages that are read again when what they show contradicts the document. */
const MOST_READ_AGAIN = 20

/** The repositories of the target. */
export interface Repositories {
  /** `owner/name`; throws `Skip` when it is not configured. */
  publicName(): string
  /**
   * The public repository, once the main account has read it.
   *
   * @throws Skip when it is not configured or cannot be read, Inconclusive when it is not there
   */
  readablePublicName(): Promise<string>
  /**
   * The private repository, once the main account has read it.
   *
   * @throws Skip when it is not configured, Inconclusive when it cannot be read
   */
  readablePrivateName(): Promise<string>
  /** `owner/name` of a repository that is not there, of the owner of the public one. */
  missingName(): string
  /** @throws Inconclusive when the public repository, answered with 404, is in no list either */
  requirePublicIsThere(exchange: Exchange): Promise<void>
  /**
   * Judges something about the main account's list. The target is live: when the list changes
   * meanwhile, the check is made again on a fresh reading.
   *
   * @param credentials of somebody else whose list it is, such as a token that sees less of it
   * @throws Inconclusive when the list never settles, or is longer than may be read
   */
  settled(check: (list: Listing) => Promise<void>, credentials?: Credentials): Promise<void>
  /** Reads the main account's list for an observation, which no change of it can falsify. */
  observed<T>(look: (list: Listing) => Promise<T>): Promise<T>
  /** The list as an account or token sees it. */
  listOf(credentials: () => Promise<Credentials>): Listing
}

function totalOf(page: RepositoryPage): string | null {
  return page.headers.get('x-total-count')
}

/** What a page tells of the list around it, which changes with items that are on other pages. */
function placeInList(page: RepositoryPage): string {
  const relations = [...page.links.keys()].sort()
  return JSON.stringify([totalOf(page), page.headers.get('x-hasmore'), relations])
}

/**
 * The document shows no field that tells whether a repository is private. Where a server tells it all
 * the same and contradicts the configuration, no verdict would be about the server.
 */
function requireVisibility({ json }: Exchange, expected: boolean, variable: string): void {
  const told = (json as { private?: unknown } | null | undefined)?.private
  if (typeof told !== 'boolean' || told === expected) return
  inconclusive(`the repository of ${variable} is ${told ? 'private' : 'public'}: check ${variable}`)
}

export function createRepositories(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
): Repositories {
  const limits = {
    maximum: target.settings.maxResponseItems,
    maxPages: run.settings.target.probe.maxPages,
  }

  const readings = new Map<string, Listing>()
  function reading(attempt: number, credentials?: Credentials): Listing {
    const key = JSON.stringify([attempt, credentials])
    const options = async () => ({ fresh: attempt > 0, ...(credentials && { credentials }) })
    const known = readings.get(key) ?? createListing(client, limits, options)
    readings.set(key, known)
    return known
  }

  /** A list as one check uses it: the pages are shared, what it has seen is its own. */
  function viewOf(list: Listing): { list: Listing; seen: Set<RepositoryPage> } {
    const seen = new Set<RepositoryPage>()
    const see = (page: RepositoryPage) => {
      seen.add(page)
      currentScope()?.exchanges.add(page.id)
      return page
    }
    /** What rests on how many items there are rests on the pages that were counted. */
    async function afterAllPages<T>(work: Promise<T>): Promise<T> {
      const outcome = await work
      for (const page of list.read) seen.add(page)
      return outcome
    }
    return {
      seen,
      list: {
        ...list,
        page: async (query) => see(await list.page(query)),
        follow: async (target) => see(await list.follow(target)),
        names: () => afterAllPages(list.names()),
        known: () => afterAllPages(list.known()),
        length: () => afterAllPages(list.length()),
        exactLength: () => afterAllPages(list.exactLength()),
        async fullLastPage() {
          const page = await afterAllPages(list.fullLastPage())
          return page && see(page)
        },
        async tour() {
          const tour = await afterAllPages(list.tour())
          for (const page of [tour.first, tour.middle, tour.last, tour.pastTheEnd]) {
            if (page !== undefined) see(page)
          }
          return tour
        },
        async walk(query, most) {
          const walk = await list.walk(query, most)
          for (const page of walk.pages) see(page)
          return walk
        },
      },
    }
  }

  function publicName(): string {
    return target.publicRepository ?? needed('public repository')
  }

  async function requirePublicIsThere({ status, headers }: Exchange): Promise<void> {
    if (status >= 300 && status < 400) {
      inconclusive(
        `the repository ${publicName()} has moved to ${headers.get('location')}: ` +
          'check CODE_HOSTING_PUBLIC_REPOSITORY',
      )
    }
    if (status !== 404) return
    const { names, isWhole } = await reading(0).known()
    const listed = names.some((name) => name.toLowerCase() === publicName().toLowerCase())
    if (!listed) {
      inconclusive(
        `the repository ${publicName()} is neither found nor listed` +
          `${isWhole ? '' : ' as far as the list was read'}: ` +
          'check CODE_HOSTING_PUBLIC_REPOSITORY',
      )
    }
  }

  async function readsOtherwise(page: RepositoryPage): Promise<boolean> {
    const { url, credentials } = page.request
    const again = await client.linkedRepositories(url.href, { fresh: true, credentials })
    return placeInList(again) !== placeInList(page) || !sameNames(again, page)
  }

  /**
   * Whether the list changed while the pages were read. Totals that differ from page to page may
   * also be the server's mistake: then two pages that differ say the same as before when they are
   * read again. An item that moved, or came as another went, changes no total: for that, what a
   * failed check has seen is read again.
   */
  async function moved(seen: Set<RepositoryPage>, failed: boolean): Promise<boolean> {
    const pages = [...seen]
    const [first] = pages
    const other = pages.find((page) => first !== undefined && totalOf(page) !== totalOf(first))
    const suspects = first && other ? [first, other] : failed ? pages.slice(0, MOST_READ_AGAIN) : []
    const changed = await Promise.all(suspects.map(readsOtherwise))
    return changed.includes(true)
  }

  return {
    publicName,
    requirePublicIsThere,
    missingName: () => `${publicName().split('/')[0]}/plumbline-${run.settings.runId}-missing`,

    readablePublicName: fixture('public repository', async () => {
      const exchange = await client.repository(publicName(), { priority: FOUNDATION_PRIORITY })
      await requirePublicIsThere(exchange)
      requireVisibility(exchange, false, 'CODE_HOSTING_PUBLIC_REPOSITORY')
      if (isSuccess(exchange)) return publicName()
      return skip(
        `the main account reads ${publicName()} with status ${exchange.status}; ` +
          'see code-hosting/resources/repository',
      )
    }),

    readablePrivateName: fixture('private repository', async () => {
      const name = target.privateRepository ?? needed('private repository')
      const exchange = await client.repository(name, { priority: FOUNDATION_PRIORITY })
      requireVisibility(exchange, true, 'CODE_HOSTING_PRIVATE_REPOSITORY')
      const { status } = exchange
      if (status === 200) return name
      if (status >= 500) inconclusive(`the private repository ${name} was answered with ${status}`)
      return inconclusive(
        `the main account asked for the private repository ${name} and got ${status}: ` +
          'check CODE_HOSTING_PRIVATE_REPOSITORY',
      )
    }),

    async settled(check, credentials) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { list, seen } = viewOf(reading(attempt, credentials))
        const [outcome] = await Promise.allSettled([check(list)])
        // Another reading would end at the same page.
        if (outcome.status === 'rejected' && outcome.reason instanceof CutShort) {
          throw outcome.reason
        }
        const failed = outcome.status === 'rejected' && isFailedExpectation(outcome.reason)
        if (await moved(seen, failed)) continue
        if (outcome.status === 'rejected') throw outcome.reason
        return
      }
      inconclusive(`the list of repositories changed during each of ${ATTEMPTS} attempts`)
    },

    observed: (look) => look(viewOf(reading(0)).list),
    listOf: (credentials) =>
      createListing(client, limits, async () => ({ credentials: await credentials() })),
  }
}
