import { skip } from '../../../lib/conformance/outcome.ts'
import type { RepositoryPage } from '../client.ts'
import type { Accounts, KnownAccount } from './accounts.ts'
import type { Listing } from './listing.ts'
import type { Repositories } from './repositories.ts'

/** An only page, and the one that its items fill: with a limit of just as many. */
async function andFull(list: Listing, page: RepositoryPage): Promise<RepositoryPage[]> {
  const length = page.names?.length ?? 0
  if (length === 0) return [page]
  const full = await list.page({ page: 1, limit: length })
  return full.names?.length === length ? [page, full] : [page]
}

/** An account's first page, when it holds all that the account has. */
async function onlyPagesOf(
  account: () => Promise<KnownAccount>,
  repositories: Repositories,
  maximum: number,
): Promise<RepositoryPage[] | undefined> {
  const known = await account().catch(() => undefined)
  if (known === undefined) return undefined
  const list = repositories.listOf(async () => known.credentials)
  const page = await list.page({ page: 1, limit: maximum })
  const { names, status } = page
  const isOnly = status === 200 && names !== undefined && names.length < maximum
  return isOnly ? andFull(list, page) : undefined
}

/**
 * Pages that are the only one of their list: with a limit that holds all of the main account's
 * repositories, else of another account with few of them.
 *
 * @throws Skip when no account has so few
 */
export async function singlePages(
  list: Listing,
  accounts: Accounts,
  repositories: Repositories,
  maximum: number,
): Promise<RepositoryPage[]> {
  const length = await list.length()
  if (length <= maximum) {
    const page = await list.page({ page: 1, limit: maximum })
    if (page.names?.length === length) return andFull(list, page)
  }
  for (const account of [accounts.other, accounts.admin]) {
    const pages = await onlyPagesOf(account, repositories, maximum)
    if (pages !== undefined) return pages
  }
  return skip(
    `needs an account with fewer than ${maximum} repositories, to see a list of one page: ` +
      'CODE_HOSTING_OTHER_USERNAME may name one',
  )
}
