import type { Paging, RequestContext } from './request-context.ts'
import { type RuleChange, replaceRule } from './rules.ts'

/** Lets a fault change the headers of every page of a list before it is sent. */
export function withPageHeaders(
  change: (headers: Headers, paging: Paging, context: RequestContext) => void,
): RuleChange {
  return replaceRule('finish', (documented) => (parts, context) => {
    if (context.paging !== undefined) change(parts.headers, context.paging, context)
    return documented(parts, context)
  })
}

/** Leaves headers out of the pages that are not among these. */
export function sentOn(
  names: readonly string[],
  isAmong: (paging: Paging, context: RequestContext) => boolean,
): RuleChange {
  return withPageHeaders((headers, paging, context) => {
    if (isAmong(paging, context)) return
    for (const name of names) headers.delete(name)
  })
}
