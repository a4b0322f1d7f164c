import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient, RepositoryPage } from '../client.ts'
import { FOUNDATION_PRIORITY, type Reading } from '../lists.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { CodeHostingTarget } from '../variables.ts'

/** Number of repositories of a list that are read individually. */
const SAMPLE_SIZE = 6

/** @throws Inconclusive if the undocumented field `private` contradicts the configuration */
function requireVisibility(exchange: Exchange, expected: boolean, variable: string): void {
  const reported = (exchange.json as { private?: unknown } | null | undefined)?.private
  if (typeof reported !== 'boolean' || reported === expected) return
  const kind = reported ? 'private' : 'public'
  checkSettings([variable], `the repository of ${variable} is ${kind}`, exchange)
}

/** The configured repositories, and the lists of the accounts. */
export class Repositories {
  readonly #run: Pick<Run, 'settings'>
  readonly #target: CodeHostingTarget
  readonly #client: CodeHostingClient
  readonly #reading: () => Promise<Reading>

  /** @param reading of the list of the main account */
  constructor(
    run: Pick<Run, 'settings'>,
    target: CodeHostingTarget,
    client: CodeHostingClient,
    reading: () => Promise<Reading>,
  ) {
    this.#reading = reading
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
    const { names, isComplete } = await (await this.#reading()).all()
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

  #missing(): string {
    return `plumbline-${this.#run.settings.runId}-missing`
  }
}
