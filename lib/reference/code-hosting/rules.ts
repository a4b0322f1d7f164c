import type { Call as CallOf } from '../endpoints.ts'
import type { ResponseParts } from '../http.ts'
import { type RuleChange as ChangeOf, type RulesOf, tablesOf } from '../service.ts'
import type { Deployment, Endpoint, Paging, RequestContext } from './deployment.ts'
import type { Configuration } from './population.ts'
import { authenticationRules } from './rules/authentication.ts'
import { paginationRules } from './rules/pagination.ts'
import { resourceRules } from './rules/resources.ts'
import { responseRules } from './rules/responses.ts'
import { tokenRules } from './rules/tokens.ts'

/**
 * Every rule of the document as a function that stands alone: none calls another, so that one can be
 * replaced and nothing else changes.
 */
export const documentedRules = {
  ...authenticationRules,
  ...tokenRules,
  ...resourceRules,
  ...paginationRules,
  ...responseRules,
}

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type RuleChange = ChangeOf<Rules>

export type Call = CallOf<RequestContext, Rules>

export const { where, on, altered, refused, within, faultsOf, variantsOf } = tablesOf<
  Rules,
  RequestContext,
  Deployment,
  Configuration
>('code-hosting')

/** Such pages of a list. */
export function pages(
  isSuch: (paging: Paging, context: RequestContext) => boolean,
): (context: RequestContext) => boolean {
  return (context) => context.paging !== undefined && isSuch(context.paging, context)
}

export const behindTheFirst = pages(({ page }) => page > 1)
export const atTheEnd = pages(({ page, lastPage }) => page === lastPage)
export const pastTheEnd = pages(({ page, lastPage }) => page > lastPage)

/** Requests with that parameter in the query, with any value, with this one or (`null`) without it. */
export function asking(name: string, value?: string | null): (context: RequestContext) => boolean {
  return ({ url }) =>
    value === undefined ? url.searchParams.has(name) : url.searchParams.get(name) === value
}

/** Something else in place of every response, or changes in it. */
export function sent(
  change: (parts: ResponseParts, context: RequestContext) => ResponseParts | undefined,
): RuleChange {
  return altered('finish', (parts, _, context) => change(parts, context) ?? parts)
}

/** These header fields on every response, or on those with such a status. */
export function fieldsSent(
  fields: Readonly<Record<string, string>>,
  isSuch: (status: number) => boolean = () => true,
): RuleChange {
  return sent(({ status, headers }) => {
    if (!isSuch(status)) return
    for (const [name, value] of Object.entries(fields)) headers.set(name, value)
  })
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
