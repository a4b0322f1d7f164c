import type { RepositoryPage } from '../../services/code-hosting.ts'
import { skip } from '../outcome.ts'
import type { Accounts, KnownAccount } from './accounts.ts'
import type { Listing } from './listing.ts'
import type { Repositories } from './repositories.ts'

/** An account's first page, when it holds all that the account has. */
async function onlyPageOf(
  account: () => Promise<KnownAccount>,
  repositories: Repositories,
  maximum: number,
): Promise<RepositoryPage | undefined> {
  const known = await account().catch(() => undefined)
  if (known === undefined) return undefined
  const page = await repositories.listOf(async () => known.credentials).page({ limit: maximum })
  const { names, status } = page
  return status === 200 && names !== undefined && names.length < maximum ? page : undefined
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
  const { length } = await list.names()
  if (length <= maximum) return [await list.page({ limit: maximum })]
  for (const account of [accounts.other, accounts.admin]) {
    const page = await onlyPageOf(account, repositories, maximum)
    if (page !== undefined) return [page]
  }
  return skip(
    `needs an account with fewer than ${maximum} repositories, to see a list of one page: ` +
      'CODE_HOSTING_OTHER_USERNAME may name one',
  )
}
