import { skip } from '../../../lib/conformance/outcome.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingSettings } from '../../../lib/target/target.ts'
import type { CodeHostingClient } from '../client.ts'
import type { Listing } from './listing.ts'
import { observedPageSize } from './page-size.ts'

/**
 * The settings record, read without credentials or, where those are asked for, with them.
 *
 * @throws Skip when it cannot be read at all
 */
export async function readSettingsRecord(client: CodeHostingClient): Promise<Exchange> {
  const open = await client.settings({ credentials: anonymous })
  const record = open.status === 200 ? open : await client.settings()
  if (record.status === 200) return record
  return skip(
    `the settings record was answered with ${record.status}; ` +
      'see code-hosting/settings/readable-by-any-client',
  )
}

/** The page sizes that lists have: without a limit, and with one above the record's maximum. */
export async function observePageSizes(
  list: Listing,
  record: Exchange,
  settings: CodeHostingSettings,
): Promise<{ usual: number; largest: number }> {
  const named = (record.json as { max_response_items?: unknown } | null)?.max_response_items
  const maximum = Number.isInteger(named) ? (named as number) : settings.maxResponseItems
  const [usual, largest] = await Promise.all([
    observedPageSize(list, {}),
    observedPageSize(list, { limit: maximum + 1 }),
  ])
  return { usual, largest }
}
