import { type CallOf, HttpError, type ResponseParts } from '../http.ts'
import { type RuleChange as ChangeOf, createTables, type RulesOf } from '../rule-tables.ts'
import { places } from './requests.ts'
import type { documentedRules } from './rules.ts'
import type { Configuration, Endpoint, RequestContext } from './server.ts'

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type RuleChange = ChangeOf<Rules>

export type Call = CallOf<RequestContext, Rules>

const tables = createTables<Rules, RequestContext, Configuration>('code-hosting')
export const { onlyIf, on, alter, reject, faultsOf, uses } = tables

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

export const at = tables.createPlaces(places)

export const authentication = faultsOf('authentication')
export const documentation = faultsOf('documentation')
export const errors = faultsOf('errors')
export const limits = faultsOf('limits')
export const pagination = faultsOf('pagination')
export const resources = faultsOf('resources')
export const scopes = faultsOf('scopes')
export const settings = faultsOf('settings')
export const tokens = faultsOf('tokens')
export const versioning = faultsOf('versioning')
