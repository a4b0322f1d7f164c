import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { sortByRequest } from '../../../lib/conformance/deviations.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { retryWhileChanging } from '../../../lib/conformance/lists.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient, RepositoryPage } from '../client.ts'
import { needed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'
import {
  createPageCache,
  createRepositoryList,
  FOUNDATION_PRIORITY,
  type PageCache,
  type RepositoryList,
  sameNames,
} from './repository-list.ts'

/** Repositories of a list that are read one by one. */
const SAMPLE_SIZE = 6

/** Pages that are read again when what they show contradicts the document. */
const MOST_READ_AGAIN = 20

const totalOf = (page: RepositoryPage) => page.headers.get('x-total-count')

/** What a page tells of the list around it, which changes with items that are on other pages. */
function placeInList(page: RepositoryPage): string {
  const relations = [...page.links.targets.keys()].sort()
  return JSON.stringify([totalOf(page), page.headers.get('x-hasmore'), relations])
}

/** No field is documented for it: where one contradicts the configuration, that may be what is wrong. */
function requireVisibility(exchange: Exchange, expected: boolean, variable: string): void {
  const reported = (exchange.json as { private?: unknown } | null | undefined)?.private
  if (typeof reported !== 'boolean' || reported === expected) return
  const kind = reported ? 'private' : 'public'
  checkSettings([variable], `the repository of ${variable} is ${kind}`, exchange)
}

export type Repositories = ReturnType<typeof createRepositories>

export function createRepositories(run: Run, target: CodeHostingTarget, client: CodeHostingClient) {
  const { maxPages } = run.settings.target.probe
  const limits = { maximum: target.settings.maxResponseItems, maxPages }

  const readings = new Map<string, PageCache>()
  function reading(attempt: number, credentials?: Credentials): PageCache {
    const key = JSON.stringify([attempt, credentials])
    const options = async () => ({ fresh: attempt > 0, ...(credentials && { credentials }) })
    const known = readings.get(key) ?? createPageCache(client, limits, options)
    readings.set(key, known)
    return known
  }

  const publicName = () => target.publicRepository ?? needed('public repository')

  /** @throws Inconclusive when the public repository, answered with 404, is in no list either */
  async function requirePublicIsThere(exchange: Exchange): Promise<void> {
    const { status, headers } = exchange
    const what = `the repository ${publicName()}`
    const variables = ['CODE_HOSTING_PUBLIC_REPOSITORY']
    if (status >= 300 && status < 400) {
      checkSettings(variables, `${what} has moved to ${headers.get('location')}`, exchange)
    }
    if (status !== 404) return
    const { names, isWhole } = await reading(0).everything()
    if (names.some((name) => name.toLowerCase() === publicName().toLowerCase())) return
    const where = isWhole ? 'listed' : 'listed as far as the list was read'
    checkSettings(variables, `${what} is neither found nor ${where}`, exchange)
  }

  async function readsOtherwise(page: RepositoryPage): Promise<boolean> {
    const { url, credentials } = page.request
    const again = await client.linkedRepositories(url.href, { fresh: true, credentials })
    return placeInList(again) !== placeInList(page) || !sameNames(again.names, page.names)
  }

  /**
   * Whether the list changed meanwhile. Totals that differ from page to page may also be the server's
   * mistake: then two such pages are the same when they are read again. An item that moved changes no
   * total: for that, what a failed check has seen is read again.
   */
  async function moved(seen: readonly RepositoryPage[], failed: boolean): Promise<boolean> {
    // What is too large to be read cannot be compared, and contradicts the document in any case.
    const readable = seen.filter(({ leastElements }) => leastElements === undefined)
    // Not all of them are read again: which ones must not depend on time.
    const pages = sortByRequest(readable, ({ record }) => record, run.normalize)
    const [first] = pages
    const other = pages.find((page) => first !== undefined && totalOf(page) !== totalOf(first))
    const suspects = first && other ? [first, other] : failed ? pages.slice(0, MOST_READ_AGAIN) : []
    return (await allOrWorst(suspects.map(readsOtherwise))).includes(true)
  }

  return {
    /** `owner/name` of the public repository. */
    publicName,
    /** @throws Inconclusive when the public repository, answered with 404, is in no list either */
    requirePublicIsThere,

    /** Of a repository that is not there, of the owner of the public one. */
    missingName: () => `${publicName().split('/')[0]}/plumbline-${run.settings.runId}-missing`,

    /** The name of a repository whose owner does not exist. */
    nameOfMissingOwner: () =>
      `plumbline-${run.settings.runId}-missing/${publicName().split('/')[1]}`,

    /** The same, once the main account reads it. */
    readablePublicName: fixture('public repository', async () => {
      const exchange = await client.repository(publicName(), { priority: FOUNDATION_PRIORITY })
      await requirePublicIsThere(exchange)
      requireVisibility(exchange, false, 'CODE_HOSTING_PUBLIC_REPOSITORY')
      if (isSuccess(exchange)) return publicName()
      const read = `the main account reads ${publicName()} with status ${exchange.status}`
      return skip(`${read}; see code-hosting/resources/repository`)
    }),

    /** `owner/name` of the private repository, once the main account reads it. */
    readablePrivateName: fixture('private repository', async () => {
      const name = target.privateRepository ?? needed('private repository')
      const exchange = await client.repository(name, { priority: FOUNDATION_PRIORITY })
      requireVisibility(exchange, true, 'CODE_HOSTING_PRIVATE_REPOSITORY')
      const { status } = exchange
      if (status === 200) return name
      const got = `the main account asked for the private repository ${name} and got ${status}`
      if (status >= 500) return inconclusive(got, exchange)
      return checkSettings(['CODE_HOSTING_PRIVATE_REPOSITORY'], got, exchange)
    }),

    /** Returns some repositories of these pages, those with a true field private first. */
    sampleOf(pages: readonly RepositoryPage[]) {
      const listed = pages.flatMap((page) =>
        (Array.isArray(page.json) ? page.json : []).map(
          (record: { private?: unknown } | null, index) => ({
            page,
            name: page.names?.[index] ?? '',
            // The field is not documented: it only decides about the order.
            isPrivate: record?.private === true,
          }),
        ),
      )
      const step = Math.max(1, Math.floor(listed.length / SAMPLE_SIZE))
      const spread = listed.filter((_, index) => index % step === 0)
      const sample = [...listed.filter(({ isPrivate }) => isPrivate), ...spread]
      return sample.filter(({ name }) => name !== '').slice(0, SAMPLE_SIZE)
    },

    /**
     * Judges something about a list, again on a fresh reading where the list changes meanwhile.
     *
     * @param credentials default to those of the main account
     * @throws Inconclusive when the list never settles, or is longer than may be read
     */
    async settled(check: (list: RepositoryList) => Promise<void>, credentials?: Credentials) {
      let seen = new Set<RepositoryPage>()
      const checkList = (attempt: number) => {
        seen = new Set()
        return check(createRepositoryList(reading(attempt, credentials), seen))
      }
      const haveMoved = (failed: boolean) => moved([...seen], failed)
      await retryWhileChanging('the list of repositories', checkList, haveMoved)
    },

    /** Reads the main account's list for an observation, which no change of it can falsify. */
    observed: <T>(look: (list: RepositoryList) => Promise<T>) =>
      look(createRepositoryList(reading(0))),

    /** The list that these credentials see. */
    listOf: (credentials: () => Promise<Credentials>) =>
      createRepositoryList(
        createPageCache(client, limits, async () => ({ credentials: await credentials() })),
      ),
  }
}
