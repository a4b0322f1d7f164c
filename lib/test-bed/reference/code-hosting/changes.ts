import { type CallOf, HttpError, type ResponseParts } from '../http.ts'
import { type RuleChange as ChangeOf, createTables, type RulesOf } from '../rule-tables.ts'
import type { documentedRules } from './rules.ts'
import type {
  Configuration,
  Endpoint,
  Paging,
  PresentedCredentials,
  RequestContext,
} from './server.ts'

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type RuleChange = ChangeOf<Rules>

export type Call = CallOf<RequestContext, Rules>

export const { onlyIf, on, alter, reject, rejectionOf, within, faultsOf, uses } = createTables<
  Rules,
  RequestContext,
  Configuration
>('code-hosting')

export const isPage =
  (isMatch: (paging: Paging) => boolean) =>
  ({ paging }: RequestContext): boolean =>
    paging !== undefined && isMatch(paging)

export const isLaterPage = isPage(({ page }) => page > 1)
export const isLastPage = isPage(({ page, lastPage }) => page === lastPage)
export const isPastEnd = isPage(({ page, lastPage }) => page > lastPage)

/** Matches requests with this query parameter: with any value, with this value, or (`null`) without it. */
export const hasQuery =
  (name: string, value?: string | null) =>
  ({ url: { searchParams } }: RequestContext): boolean =>
    value === undefined ? searchParams.has(name) : searchParams.get(name) === value

/** Matches requests on behalf of another user. */
export const underSudo = ({ headers, url }: RequestContext): boolean =>
  headers.has('Sudo') || url.searchParams.has('sudo')

export const alterParts = (
  change: (parts: ResponseParts, context: RequestContext) => ResponseParts | undefined,
): RuleChange => alter('finish', (parts, _, context) => change(parts, context) ?? parts)

export const sendFields = (
  fields: Readonly<Record<string, string>>,
  isMatch: (status: number) => boolean = () => true,
): RuleChange =>
  alterParts(({ status, headers }) => {
    if (!isMatch(status)) return
    for (const [name, value] of Object.entries(fields)) headers.set(name, value)
  })

/** Changes the first response of an endpoint; by default it fails. */
export const respondOnce =
  (endpoint: Endpoint, parts?: () => ResponseParts): RuleChange =>
  (rules) => {
    let hasResponded = false
    return {
      begin: (context) => {
        if (hasResponded || context.endpoint !== endpoint) return rules.begin(context)
        hasResponded = true
        if (parts) return parts()
        throw new Error('the database is locked')
      },
    }
  }

/** Error of a server that fails without a message. */
export const serverError = new HttpError(500, '')

export const usesScheme =
  (scheme: PresentedCredentials['scheme']) =>
  ({ credentials }: RequestContext) =>
    credentials?.scheme === scheme
