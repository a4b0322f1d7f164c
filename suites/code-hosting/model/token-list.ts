import { skip } from '../../../lib/conformance/check-errors.ts'
import { requireStatus } from '../../../lib/conformance/contrast.ts'
import { displayHeader } from '../../../lib/conformance/describe-exchange.ts'
import { isFailedExpectation } from '../../../lib/conformance/deviations.ts'
import { fixtureFor } from '../../../lib/conformance/fixture.ts'
import { judgeOptionalCase } from '../../../lib/conformance/judge-cases.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Repositories } from '../accounts/repositories.ts'
import type { CodeHostingClient } from '../client.ts'
import { expect } from '../matchers.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { RequirementId } from '../requirements.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { outlierOf } from './page-consistency.ts'
import { pageSize } from './pages.ts'

type Query = Readonly<Partial<Record<'limit' | 'page', string>>>

const FIRST: Query = { limit: '2', page: '1' }
const SECOND: Query = { limit: '2', page: '2' }

/** The requirements that a page may contradict alone. */
const CONSISTENT: readonly RequirementId[] = [
  'code-hosting/pagination/total-count',
  'code-hosting/pagination/has-more-header',
  'code-hosting/pagination/link-relations',
]

/** Maximum number of reads of both pages, since tokens are created meanwhile. */
const ATTEMPTS = 3

interface TokenListParts {
  target: CodeHostingTarget
  codeHosting: CodeHostingClient
  accounts: Accounts
  repositories: Repositories
}

const describeQuery = (query: Query) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ') || 'no limit'

const namesOn = ({ json }: Exchange): readonly string[] =>
  Array.isArray(json) ? json.map((record) => String(Object(record).name)) : []

/** Judges the list of tokens of the operator where a page shows alone what is wrong. */
export class TokenList {
  readonly #parts: TokenListParts

  constructor(parts: TokenListParts) {
    this.#parts = parts
  }

  /** Judges the cases of a requirement, if it has any. */
  async judge(id: RequirementId): Promise<void> {
    if (this.#parts.target.tokenList === undefined) return
    for (const query of this.#sized[id] ?? []) {
      await this.#judgeCase(query, (page) => this.#expectSize(query, page))
    }
    for (const query of CONSISTENT.includes(id) ? Object.values(this.#sized).flat() : []) {
      await this.#judgeCase(query, (page) => this.#expectConsistent(id, query, page))
    }
    if (id !== 'code-hosting/pagination/walk') return
    await judgeOptionalCase('CODE_HOSTING_TOKEN_LIST, two pages', () => this.#expectDistinct())
  }

  /** The pages by the requirement about their size. */
  get #sized(): Readonly<Partial<Record<RequirementId, readonly Query[]>>> {
    const { defaultPagingNum, maxResponseItems } = this.#parts.target.settings
    return {
      // The document does not say whether a default above the maximum is lowered.
      ...(defaultPagingNum <= maxResponseItems && {
        'code-hosting/pagination/default-limit': [{}],
      }),
      'code-hosting/pagination/limit-honoured': [FIRST, SECOND],
      'code-hosting/pagination/limit-lowered': [{ limit: String(maxResponseItems + 1) }],
    }
  }

  readonly #page = fixtureFor('token list with', async (_: string, query: Query) =>
    this.#read(query),
  )

  /** @throws Skip for a response without a list, which code-hosting/tokens/last-eight-in-reads reports */
  async #read(query: Query): Promise<Exchange> {
    const { accounts, codeHosting, target } = this.#parts
    const request = target.tokenList ?? skipUnmetNeed('token list')
    const [path = '', search] = request.path.split('?')
    const parameters = new URLSearchParams(search)
    for (const name of ['limit', 'page'] as const) {
      parameters.delete(name)
      if (query[name] !== undefined) parameters.set(name, query[name])
    }
    const { credentials } = accounts.main()
    const withQuery = { ...request, path: parameters.size > 0 ? `${path}?${parameters}` : path }
    // Read late: the checks create the tokens.
    const options = { credentials, fresh: true, priority: -1 }
    const page = await requireStatus(200, codeHosting.undocumented(withQuery, options))
    return Array.isArray(page.json) ? page : skip('CODE_HOSTING_TOKEN_LIST returned no list')
  }

  #judgeCase(query: Query, assert: (page: Exchange) => Promise<void>): Promise<unknown> {
    const name = describeQuery(query)
    return judgeOptionalCase(`CODE_HOSTING_TOKEN_LIST, ${name}`, async () =>
      assert(await this.#page(name, query)),
    )
  }

  /** @throws Skip if a page of repositories has another size too, which the cases of that list show */
  async #expectSize(query: Query, page: Exchange): Promise<void> {
    const size = pageSize(query.limit, this.#parts.target.settings)
    const assert = (one: Exchange) => {
      expect(one).toHaveItemsUpTo(size)
      // On the only page, the field may be the number of its items.
      if (one.headers.get('x-hasmore') === 'true') {
        expect(one).toHaveHeaderWherePresent('X-PerPage', size)
      }
    }
    try {
      assert(page)
    } catch (error) {
      if (!isFailedExpectation(error)) throw error
      const other = await this.#parts.repositories.observe((list) => list.page(query))
      const isExplained = await Promise.resolve(other)
        .then(assert)
        .then(() => false, isFailedExpectation)
      if (isExplained) skip('the list of repositories deviates too')
      throw error
    }
  }

  /** Expects no outlier, or none in a second response: a token may be created while the first is made. */
  async #expectConsistent(id: RequirementId, query: Query, page: Exchange): Promise<void> {
    const { settings } = this.#parts.target
    if (outlierOf(page, settings)?.requirement !== id) return
    const again = await this.#read(query)
    const outlier = outlierOf(again, settings)
    if (outlier?.requirement !== id) return
    const { expected, header } = outlier
    expect(again).toShow(false, expected, displayHeader(again, header), { header })
  }

  /** Expects no token on two pages between which the list did not change. */
  async #expectDistinct(): Promise<void> {
    const isRepeating = (first: Exchange, second: Exchange) =>
      namesOn(second).some((name) => namesOn(first).includes(name))
    const [first, second] = [
      await this.#page(describeQuery(FIRST), FIRST),
      await this.#page(describeQuery(SECOND), SECOND),
    ]
    if (!isRepeating(first, second)) return
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const before = await this.#read(FIRST)
      const page = await this.#read(SECOND)
      const after = await this.#read(FIRST)
      if (!isRepeating(before, page)) return
      if (namesOn(before).join() !== namesOn(after).join()) continue
      const repeated = namesOn(page).filter((name) => namesOn(before).includes(name))
      expect(page).toShow(false, 'tokens that page 1 has not', repeated.join(', '))
    }
    skip('the list of tokens changed')
  }
}
