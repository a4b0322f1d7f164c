import type { Endpoint } from './request-context.ts'
import { type RuleChange, replaceRule } from './rules.ts'

/** Lets a fault change the content of every response of an endpoint with status 200. */
export function withContentOf(endpoint: Endpoint, change: (content: string) => string): RuleChange {
  return replaceRule('finish', (documented) => async (parts, context) => {
    const finished = await documented(parts, context)
    const { status, body } = finished
    if (context.endpoint !== endpoint || status !== 200 || typeof body !== 'string') return finished
    return { ...finished, body: change(body) }
  })
}

/** The same for the JSON value that the content is. */
export function withValueOf<Value>(
  endpoint: Endpoint,
  change: (value: Value) => unknown,
): RuleChange {
  return withContentOf(endpoint, (content) => JSON.stringify(change(JSON.parse(content))))
}
