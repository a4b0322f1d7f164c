import { type Call as CallOf, jsonObject, refuse } from '../endpoints.ts'
import { jsonParts, type ResponseParts } from '../http.ts'
import type { Caller, Paging, RequestContext } from './deployment.ts'
import type { Rules } from './rules.ts'

export type Call = CallOf<RequestContext, Rules>

/** The caller of an endpoint that needs one. */
export function callerOf(call: Call): Caller {
  return call.context.caller ?? refuse(call.rules.missingCredentials(call.context))
}

/** The value of a variable of the path. */
export function pathValue(call: Call, name: string): string {
  return call.context.parameters[name] ?? ''
}

/** @throws RefusedError when the content is no JSON object */
export function requestedObject(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { context, rules } = call
  if (!rules.jsonMediaType(context.headers.get('Content-Type') ?? '', context)) {
    refuse(rules.malformedBody('the content type is not application/json', context))
  }
  return jsonObject(call)
}

/** A field that holds a string which is not empty.
 *
 * @throws RefusedError when it does not
 */
export function requiredText(
  call: Call,
  body: Readonly<Record<string, unknown>>,
  field: string,
): string {
  const value = body[field]
  if (typeof value === 'string' && value !== '') return value
  const reason = (value ?? '') === '' ? 'a value is required' : 'a string is required'
  return refuse(call.rules.invalidField(field, reason, call.context))
}

/** The record as JSON, with the media type of the status. */
export function jsonRecord(call: Call, status: number, record: unknown): ResponseParts {
  return jsonParts(status, record, call.rules.contentType(status, call.context))
}

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
  const shown = rules.pageItems(items, paging, context) as readonly Item[]
  const parts = jsonRecord(call, 200, shown.map(record))
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
