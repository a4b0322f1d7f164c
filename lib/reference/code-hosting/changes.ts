import { type RuleChange as ChangeOf, changesOf } from '../service.ts'
import type { Endpoint, Paging, RequestContext } from './request-context.ts'
import type { Rules } from './rules.ts'

export type RuleChange = ChangeOf<Rules>

export const { where, on, refused } = changesOf<Rules, RequestContext>()

/** Such pages of a list. */
export function pages(
  isSuch: (paging: Paging, context: RequestContext) => boolean,
): (context: RequestContext) => boolean {
  return (context) => context.paging !== undefined && isSuch(context.paging, context)
}

export const behindTheFirst = pages(({ page }) => page > 1)
export const atTheEnd = pages(({ page, lastPage }) => page === lastPage)
export const pastTheEnd = pages(({ page, lastPage }) => page > lastPage)

/** Requests with that parameter in the query, with any value or with this one. */
export function asking(name: string, value?: string): (context: RequestContext) => boolean {
  return ({ url }) =>
    value === undefined ? url.searchParams.has(name) : url.searchParams.get(name) === value
}

/** Requests without that parameter in the query. */
export function notAsking(name: string): (context: RequestContext) => boolean {
  return ({ url }) => !url.searchParams.has(name)
}

/** Other content in every response of the endpoint with status 200. */
export function withContentOf(endpoint: Endpoint, change: (content: string) => string): RuleChange {
  return on(endpoint, (rules) => ({
    finish: async (parts, context) => {
      const finished = await rules.finish(parts, context)
      const { status, body } = finished
      return status === 200 && typeof body === 'string'
        ? { ...finished, body: change(body) }
        : finished
    },
  }))
}

/** The same for the JSON value that the content is. */
export function withValueOf<Value>(
  endpoint: Endpoint,
  change: (value: Value) => unknown,
): RuleChange {
  return withContentOf(endpoint, (content) => JSON.stringify(change(JSON.parse(content))))
}

/** The first request to the endpoint meets an error of the server; all others are served. */
export function failingOnce(endpoint: Endpoint): RuleChange {
  return (rules) => {
    let failed = false
    return {
      begin: (context) => {
        if (failed || context.endpoint !== endpoint) return rules.begin(context)
        failed = true
        throw new Error('the database is locked')
      },
    }
  }
}
