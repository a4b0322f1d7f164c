import type { CallOf, ResponseParts } from '../http.ts'
import { type RuleChange as ChangeOf, type RulesOf, tablesOf } from '../rule-tables.ts'
import type { Configuration, Endpoint, Paging, RequestContext } from './deployment.ts'
import type { documentedRules } from './rules.ts'

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type RuleChange = ChangeOf<Rules>

export type Call = CallOf<RequestContext, Rules>

export const { where, on, altered, refused, refusing, within, faultsOf, variantsOf } = tablesOf<
  Rules,
  RequestContext,
  Configuration
>('code-hosting')

export const pages =
  (isSuch: (paging: Paging) => boolean) =>
  ({ paging }: RequestContext): boolean =>
    paging !== undefined && isSuch(paging)

export const behindTheFirst = pages(({ page }) => page > 1)
export const atTheEnd = pages(({ page, lastPage }) => page === lastPage)
export const pastTheEnd = pages(({ page, lastPage }) => page > lastPage)

/** Requests with that parameter in the query, with any value, with this one or (`null`) without it. */
export const asking =
  (name: string, value?: string | null) =>
  ({ url: { searchParams } }: RequestContext): boolean =>
    value === undefined ? searchParams.has(name) : searchParams.get(name) === value

export const sent = (
  change: (parts: ResponseParts, context: RequestContext) => ResponseParts | undefined,
): RuleChange => altered('finish', (parts, _, context) => change(parts, context) ?? parts)

export const fieldsSent = (
  fields: Readonly<Record<string, string>>,
  isSuch: (status: number) => boolean = () => true,
): RuleChange =>
  sent(({ status, headers }) => {
    if (!isSuch(status)) return
    for (const [name, value] of Object.entries(fields)) headers.set(name, value)
  })

export const answeredOnce =
  (endpoint: Endpoint, parts?: () => ResponseParts): RuleChange =>
  (rules) => {
    let answered = false
    return {
      begin: (context) => {
        if (answered || context.endpoint !== endpoint) return rules.begin(context)
        answered = true
        if (parts) return parts()
        throw new Error('the database is locked')
      },
    }
  }

export const failingOnce = (endpoint: Endpoint) => answeredOnce(endpoint)
