import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import type { FailedExpectation } from '../../../lib/conformance/deviations.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { retryWhileChanging } from '../../../lib/conformance/lists.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { sortByRequest } from '../../../lib/results/request-order.ts'
import type { CallOptions, CodeHostingClient, RepositoryPage } from '../client.ts'
import { FOUNDATION_PRIORITY, PageCache, sameNames } from '../model/page-cache.ts'
import { RepositoryList } from '../model/repository-list.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'

/** Number of repositories of a list that are read individually. */
const SAMPLE_SIZE = 6

/** Maximum number of pages of a failed check that are read again. */
const MAX_REREADS = 20

const totalOf = (page: RepositoryPage) => page.headers.get('x-total-count')

/** Returns the fields of a page that change with items of other pages. */
function placeInList(page: RepositoryPage): string {
  const relations = [...page.links.targets.keys()].sort()
  return JSON.stringify([totalOf(page), page.headers.get('x-hasmore'), relations])
}

/** @throws Inconclusive if the undocumented field `private` contradicts the configuration */
function requireVisibility(exchange: Exchange, expected: boolean, variable: string): void {
  const reported = (exchange.json as { private?: unknown } | null | undefined)?.private
  if (typeof reported !== 'boolean' || reported === expected) return
  const kind = reported ? 'private' : 'public'
  checkSettings([variable], `the repository of ${variable} is ${kind}`, exchange)
}

type RepositoriesRun = Pick<Run, 'settings' | 'normalize'>

/** The configured repositories, and the lists of the accounts. */
export class Repositories {
  readonly #run: RepositoriesRun
  readonly #target: CodeHostingTarget
  readonly #client: CodeHostingClient
  readonly #readings = new Map<string, PageCache>()

  constructor(run: RepositoriesRun, target: CodeHostingTarget, client: CodeHostingClient) {
    this.#run = run
    this.#target = target
    this.#client = client
  }

  /** `owner/name` of the public repository. */
  readonly publicName = () => this.#target.publicRepository ?? skipUnmetNeed('public repository')

  /** The name of a repository that does not exist, of the owner of the public one. */
  readonly missingName = () => `${this.publicName().split('/')[0]}/${this.#missing()}`

  /** The same with a name that is longer than servers store. */
  readonly longMissingName = () => this.missingName().padEnd(300, '-long')

  /** The name of a repository whose owner does not exist. */
  readonly nameOfMissingOwner = () => `${this.#missing()}/${this.publicName().split('/')[1]}`

  /** The public repository, once the main account reads it. */
  readonly readablePublicName = fixture('public repository', async () => {
    const name = this.publicName()
    const exchange = await this.#client.repository(name, { priority: FOUNDATION_PRIORITY })
    await this.requirePublicExists(exchange)
    requireVisibility(exchange, false, 'CODE_HOSTING_PUBLIC_REPOSITORY')
    if (isSuccess(exchange)) return name
    const read = `the main account reads ${name} with status ${exchange.status}`
    return skip(`${read}; see code-hosting/resources/repository`)
  })

  /** `owner/name` of the private repository, once the main account reads it. */
  readonly readablePrivateName = fixture('private repository', async () => {
    const name = this.#target.privateRepository ?? skipUnmetNeed('private repository')
    const exchange = await this.#client.repository(name, { priority: FOUNDATION_PRIORITY })
    requireVisibility(exchange, true, 'CODE_HOSTING_PRIVATE_REPOSITORY')
    const { status } = exchange
    if (status === 200) return name
    const problem = `the main account requested the private repository ${name} and got ${status}`
    if (status >= 500) return inconclusive(problem, exchange)
    return checkSettings(['CODE_HOSTING_PRIVATE_REPOSITORY'], problem, exchange)
  })

  /** @throws Inconclusive for a 404 response if the list does not show the public repository */
  async requirePublicExists(exchange: Exchange): Promise<void> {
    const { status, headers } = exchange
    const repository = `the repository ${this.publicName()}`
    const variables = ['CODE_HOSTING_PUBLIC_REPOSITORY']
    if (status >= 300 && status < 400) {
      checkSettings(variables, `${repository} has moved to ${headers.get('location')}`, exchange)
    }
    if (status !== 404) return
    const { names, isComplete } = await this.#reading(0).readAll()
    const searched = this.publicName().toLowerCase()
    if (names.some((name) => name.toLowerCase() === searched)) return
    const scope = isComplete ? 'listed' : 'listed on the pages that were read'
    checkSettings(variables, `${repository} is neither found nor ${scope}`, exchange)
  }

  /** Returns some repositories of these pages, of each kind first: each value of a flag, such as `private`. */
  sampleOf(pages: readonly RepositoryPage[]): { page: RepositoryPage; name: string }[] {
    const listed = pages.flatMap((page) =>
      (Array.isArray(page.json) ? page.json : []).map((record: unknown, index) => ({
        page,
        name: page.names?.[index] ?? '',
        record,
      })),
    )
    // The undocumented fields only affect the order.
    const kinds = new Set<string>()
    const isNewKind = ({ record }: (typeof listed)[number]) => {
      const flags = Object.entries(record ?? {}).filter(([, value]) => typeof value === 'boolean')
      const before = kinds.size
      for (const flag of flags) kinds.add(flag.join())
      return kinds.size > before
    }
    const step = Math.max(1, Math.floor(listed.length / SAMPLE_SIZE))
    const spread = listed.filter((_, index) => index % step === 0)
    const sample = new Set([...listed.filter(isNewKind), ...spread])
    return [...sample].filter(({ name }) => name !== '').slice(0, SAMPLE_SIZE)
  }

  /**
   * Runs a check on a list, and repeats it on a fresh reading if the list changed during the check.
   *
   * @param credentials default to the main account
   * @throws Inconclusive if the list keeps changing or has more than PROBE_MAX_PAGES pages
   */
  async retryWhileChanging(
    check: (list: RepositoryList, failed?: FailedExpectation) => Promise<void>,
    credentials?: Credentials,
  ): Promise<void> {
    let list: RepositoryList | undefined
    const checkList = (attempt: number, failed?: FailedExpectation) => {
      list = new RepositoryList(this.#reading(attempt, credentials))
      return check(list, failed)
    }
    const isChanged = (failed?: FailedExpectation) =>
      this.#wasChanged([...(list?.readingPages ?? [])], [...(list?.inspectedPages ?? [])], failed)
    await retryWhileChanging('the list of repositories', checkList, isChanged)
  }

  /** Reads the main account's list once, without a check for changes. */
  observe<T>(read: (list: RepositoryList) => Promise<T>): Promise<T> {
    return read(new RepositoryList(this.#reading(0)))
  }

  /** The list that these credentials see. @param fresh true if its pages are read again */
  listOf(credentials: () => Promise<Credentials>, fresh = false): RepositoryList {
    const options = async () => ({ credentials: await credentials(), fresh })
    return new RepositoryList(this.#createReading(options))
  }

  #missing(): string {
    return `plumbline-${this.#run.settings.runId}-missing`
  }

  #reading(attempt: number, credentials?: Credentials): PageCache {
    const key = JSON.stringify([attempt, credentials])
    const options = async () => ({ fresh: attempt > 0, ...(credentials && { credentials }) })
    const cached = this.#readings.get(key) ?? this.#createReading(options)
    this.#readings.set(key, cached)
    return cached
  }

  #createReading(options: () => Promise<CallOptions>): PageCache {
    const { maxPages } = this.#run.settings.target.probe
    const limits = { maximum: this.#target.settings.maxResponseItems, maxPages }
    return new PageCache(this.#client, limits, options)
  }

  /**
   * Returns true if the list changed during a check. Reads two pages with different totals again, or,
   * since a moved item changes no total, the deviating page and the first pages of a failed check, or of a reading that repeats items.
   */
  async #wasChanged(
    reading: readonly RepositoryPage[],
    all: readonly RepositoryPage[],
    failed: FailedExpectation | undefined,
  ): Promise<boolean> {
    // Pages that are too large to be read cannot be compared.
    const readable = all.filter(({ minLength }) => minLength === undefined)
    // The order, and so the selection, must not depend on time.
    const pages = sortByRequest(readable, ({ record }) => record, this.#run.normalize)
    const [first] = pages
    const other = pages.find((page) => first !== undefined && totalOf(page) !== totalOf(first))
    const names = reading.flatMap((page) => page.names ?? [])
    const isRepeating = new Set(names).size < names.length
    const deviating = pages.filter(({ id }) => id === failed?.exchange?.id)
    const known = new Set([...deviating, ...reading, ...pages])
    const suspicious = failed || isRepeating ? [...known].slice(0, MAX_REREADS) : []
    const suspects = first && other ? [first, other] : suspicious
    const changes = suspects.map(async (page) => {
      const { url, credentials, headers } = page.request
      const options = { fresh: true, credentials, headers }
      const again = await this.#client.linkedRepositories(url.href, options)
      return placeInList(again) !== placeInList(page) || !sameNames(again.names, page.names)
    })
    return (await allOrWorst(changes)).includes(true)
  }
}
