import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { isFailedExpectation } from '../../../lib/conformance/judgement.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient, RepositoryPage } from '../client.ts'
import { needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { createListing, type Listing } from './listing.ts'
import {
  CutShort,
  createPageReading,
  FOUNDATION_PRIORITY,
  type PageReading,
  sameNames,
} from './page-reading.ts'

const ATTEMPTS = 3

/** Pages that are read again when what they show contradicts the document. */
const MOST_READ_AGAIN = 20

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
  const reported = (json as { private?: unknown } | null | undefined)?.private
  if (typeof reported !== 'boolean' || reported === expected) return
  inconclusive(
    `the repository of ${variable} is ${reported ? 'private' : 'public'}: check ${variable}`,
  )
}

export type Repositories = ReturnType<typeof createRepositories>

/** The repositories of the target. */
export function createRepositories(run: Run, target: CodeHostingTarget, client: CodeHostingClient) {
  const limits = {
    maximum: target.settings.maxResponseItems,
    maxPages: run.settings.target.probe.maxPages,
  }

  const readings = new Map<string, PageReading>()
  function reading(attempt: number, credentials?: Credentials): PageReading {
    const key = JSON.stringify([attempt, credentials])
    const options = async () => ({ fresh: attempt > 0, ...(credentials && { credentials }) })
    const known = readings.get(key) ?? createPageReading(client, limits, options)
    readings.set(key, known)
    return known
  }

  /** `owner/name` */
  function publicName(): string {
    return target.publicRepository ?? needed('public repository')
  }

  /** @throws Inconclusive when the public repository, answered with 404, is in no list either */
  async function requirePublicIsThere({ status, headers }: Exchange): Promise<void> {
    if (status >= 300 && status < 400) {
      inconclusive(
        `the repository ${publicName()} has moved to ${headers.get('location')}: ` +
          'check CODE_HOSTING_PUBLIC_REPOSITORY',
      )
    }
    if (status !== 404) return
    const { names, isWhole } = await reading(0).everything()
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
    return placeInList(again) !== placeInList(page) || !sameNames(again.names, page.names)
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

    /** `owner/name` of a repository that is not there, of the owner of the public one. */
    missingName: () => `${publicName().split('/')[0]}/plumbline-${run.settings.runId}-missing`,

    /** The public repository, once the main account has read it. */
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

    /** The private repository, once the main account has read it. */
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

    /**
     * Judges something about the main account's list. The target is live: when the list changes
     * meanwhile, the check is made again on a fresh reading.
     *
     * @param credentials of somebody else whose list it is, such as a token that sees less of it
     * @throws Inconclusive when the list never settles, or is longer than may be read
     */
    async settled(
      check: (list: Listing) => Promise<void>,
      credentials?: Credentials,
    ): Promise<void> {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const seen = new Set<RepositoryPage>()
        const list = createListing(reading(attempt, credentials), seen)
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

    /** Reads the main account's list for an observation, which no change of it can falsify. */
    observed: <T>(look: (list: Listing) => Promise<T>) => look(createListing(reading(0))),

    /** The list as an account or token sees it. */
    listOf: (credentials: () => Promise<Credentials>) =>
      createListing(
        createPageReading(client, limits, async () => ({ credentials: await credentials() })),
      ),
  }
}
