import { jsonParts, parseJsonObject, type ResponseParts, refuse } from '../http.ts'
import type { Caller, Endpoint, Paging, RequestContext } from './request-context.ts'
import type { Rules } from './rules.ts'

/** One request on its way through an endpoint. */
export interface Call {
  readonly context: RequestContext
  readonly rules: Rules
  /** The content of the request, decoded as UTF-8. */
  text(): Promise<string>
}

/** What an endpoint does: it gives the response or throws a `RefusedError`. */
export type Handler = (call: Call) => ResponseParts | Promise<ResponseParts>

export interface EndpointDefinition {
  readonly endpoint: Endpoint
  readonly method: string
  /** Below the base path, variables as `:name`. */
  readonly path: string
  readonly handle: Handler
}

/** The caller of an endpoint that needs one. */
export function callerOf(call: Call): Caller {
  return call.context.caller ?? refuse(call.rules.missingCredentials(call.context))
}

/** The value of a variable of the path. */
export function pathValue(call: Call, name: string): string {
  return call.context.parameters[name] ?? ''
}

/** The content as a JSON object.
 *
 * @throws RefusedError when it is none
 */
export async function jsonObject(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { context, rules } = call
  if (!rules.jsonMediaType(context.headers.get('Content-Type') ?? '', context)) {
    refuse(rules.malformedBody('the content type is not application/json', context))
  }
  return parseJsonObject(await call.text(), (detail) => rules.malformedBody(detail, context))
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
  if (value === undefined || value === null || value === '') {
    refuse(call.rules.invalidField(field, 'a value is required', call.context))
  }
  if (typeof value !== 'string') {
    refuse(call.rules.invalidField(field, 'a string is required', call.context))
  }
  return value
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
  const shown = rules.pageItems(items, paging, context)
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
