import { jsonParts, type ResponseParts } from '../http/response-parts.ts'
import type { Call } from './call.ts'
import type { Paging } from './request-context.ts'

function pagingOf(call: Call, total: number): Paging {
  const { context, rules } = call
  const query = context.url.searchParams
  const limit = rules.effectiveLimit(query.get('limit'), context.deployment.settings, context)
  const page = rules.effectivePage(query.get('page'), context)
  return { page, limit, total, lastPage: rules.lastPage(total, limit, context) }
}

function linkField(call: Call, paging: Paging): string | undefined {
  const { context, rules } = call
  if (!rules.linkNeeded(paging, context)) return undefined
  const address = rules.publicAddress(context)
  const entries = rules.linkRelations(paging, context).map(({ relation, page }) => ({
    relation,
    target: rules.linkTarget(page, paging, address, context),
  }))
  return entries.length === 0 ? undefined : rules.formatLink(entries, context)
}

/** The requested page of a list, with the pagination headers; it leaves the paging in the context. */
export function listPage<Item>(
  call: Call,
  items: readonly Item[],
  record: (item: Item) => unknown,
): ResponseParts {
  const { context, rules } = call
  const paging = pagingOf(call, items.length)
  context.paging = paging
  const shown = rules.pageItems(items, paging, context)
  const parts = jsonParts(200, shown.map(record), rules.contentType(200, context))
  const fields = {
    'X-Total-Count': rules.totalCount(paging, shown.length, context),
    'X-Page': rules.currentPage(paging, context),
    'X-PerPage': rules.perPage(paging, context),
    'X-HasMore': rules.hasMore(paging, shown.length, context),
    Link: linkField(call, paging),
    'Access-Control-Expose-Headers': rules.exposedHeaders(context).join(', '),
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) parts.headers.set(name, value)
  }
  return parts
}
