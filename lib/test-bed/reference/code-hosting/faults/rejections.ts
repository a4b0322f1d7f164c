// Rejections that differ from the rule in their status or their message only.
//
// A row: the requirements that fail; the start of the names; the rule, with the requests (`if`) or the variant (`in`) that show
// the faults; and a fault for each end of a name. `404 on-the-list` is another status, everywhere or at a place, and
// `in-another-case` another wording. `= text` is another message, after the rest of the name or the place.

import { inVariant } from '../../rule-tables.ts'
import { at, faultsOf, onlyIf, reject, serverError } from '../changes.ts'
import { hasEmptyQueryToken, isPrivate, places } from '../requests.ts'
import { documentedRules } from '../rules.ts'
import type { RequestContext } from '../server.ts'

const table = `
  authentication/missing-credentials | missing-credentials | missingCredentials | 303; 403 on-token-creation; 200 on-the-user
  authentication/missing-credentials-message | wrong-missing-credentials-message | missingCredentials | = authentication required
  authentication/missing-credentials-message | missing-credentials-message | missingCredentials | in-another-case; right-only-on-the-user = sign in
  authentication/unusable-credentials | empty-legacy-token | unusableCredentials if with-an-empty-legacy-token | 500
  authentication/unusable-credentials | empty-basic-credentials | unusableCredentials if with-empty-credentials | 400
  authentication/unusable-credentials | empty-query-token | missingCredentials if with-an-empty-query-token | 400
  authentication/unknown-token | unknown-token | unknownToken | 404 on-a-repository; 200 on-the-list
  authentication/unknown-token | unknown-token | unknownToken in no-accounts | 200 without-accounts
  authentication/unknown-token-message | unknown-token-message | unknownToken | right-only-on-the-user = invalid token
  authentication/wrong-password authentication/unknown-username | wrong-password | wrongPassword | 403
  authentication/wrong-password-message | wrong-password-with-two-factors | wrongPassword if of-a-user-with-two-factors | asks-for-the-code = a one-time code is required
  authentication/legacy-disabled-message | disabled-legacy-message | legacyDisabled in legacy-disabled | right-only-on-the-user = token is required
  errors/validation-status tokens/unknown-scope | validation | invalidField | 200
  errors/validation-names-field | validation | invalidField | names-another-field = scopes: a value is required
  errors/missing-repository | missing-repository | missingRepository | 403; 302
  errors/missing-repository | missing-repository | missingCredentials if for-a-missing-repository | 403 for-anonymous-clients
  errors/missing-repository | missing-owner | missingRepository if for-a-missing-owner | 500
  errors/hidden-repository | hidden-repository | hiddenRepository | 403 in-the-query
  errors/hidden-repository | hidden-repository | missingCredentials if for-a-private-repository | 403 for-anonymous-clients
  errors/archived | archived-change | archived | 403
  errors/conflict | conflict | repositoryExists | 200
  scopes/missing-scope-status scopes/public-only-grants-nothing scopes/repository-category scopes/admin-needs-site-admin scopes/changes-need-write | scope | missingScope | 401
  scopes/other-categories scopes/missing-scope-status | packages-without-the-scope | missingScope if for-packages in every-category-supplied | 404
  scopes/missing-scope-message scopes/message-names-required scopes/message-names-granted | missing-scope-message-without-scopes | missingScope | on-a-repository = token does not have at least one of required scope(s)
  scopes/missing-scope-message scopes/message-names-required scopes/message-names-granted | missing-scope-message-without-scopes | missingScope in every-category-supplied | on-packages = token does not have at least one of required scope(s)
  scopes/public-only-hides-private | public-only | hiddenByPublicOnly | 401
  scopes/admin-needs-site-admin | admin-endpoints | notSiteAdmin | 404
  tokens/own-credentials | foreign-tokens | foreignTokens | 200
  tokens/duplicate-name | duplicate-name | duplicateTokenName | 409
  tokens/unknown-scope | unknown-scope | unknownScope | 403
`

type Predicate = (context: RequestContext) => boolean

/** Requests by the names after `if`. */
const requests: Readonly<Record<string, Predicate>> = {
  everywhere: () => true,
  'for-packages': ({ endpoint }) => endpoint === 'packages',
  'for-a-missing-owner': ({ parameters: { owner }, server }) =>
    owner !== undefined && !server.store.account(owner),
  'for-a-missing-repository': ({ endpoint, parameters: { owner = '', repo = '' }, server }) =>
    endpoint === 'repository' && !server.store.repository(owner, repo),
  'for-a-private-repository': isPrivate,
  'of-a-user-with-two-factors': ({ credentials, server }) =>
    credentials?.scheme === 'basic' &&
    server.store.account(credentials.username)?.oneTimeSecret !== undefined,
  'with-an-empty-legacy-token': ({ headers }) => headers.get('Authorization') === 'token',
  'with-empty-credentials': ({ headers }) => headers.get('Authorization') === 'Basic',
  'with-an-empty-query-token': hasEmptyQueryToken,
}

const wordings: Readonly<Record<string, (text: string) => string>> = {
  'in-another-case': (text) => text.replace(/^./, (letter) => letter.toUpperCase()),
}

const statusEnds = ['error-sent-with-N', 'redirected', 'rejected-with-N', 'fails-with-N']

type Rejection = Parameters<typeof reject>[0]

/** Returns the end of a name and the change, without their place. */
function parseEnd(text: string): [end: string, change: Parameters<typeof reject>[1]] {
  if (/^\d+$/.test(text)) {
    const end = statusEnds[Number(text[0]) - 2]?.replace('N', text) ?? ''
    return [end, text === '500' ? serverError : Number(text)]
  }
  const change = wordings[text]
  if (change === undefined) throw new Error(`There is no wording ${text}.`)
  return [text, change]
}

/** Defines a fault by an end of a row. */
function rejected(name: string, rule: Rejection, text: string, isShown: Predicate) {
  const [start = '', message] = text.split(/ ?= ?/)
  const [first = '', place = ''] = start in places ? ['', start] : start.split(' ')
  const [end, change] = message === undefined ? parseEnd(first) : [first, message]
  const full = [name, end].filter(Boolean).join('-')
  return at(full, [place as keyof typeof places | ''], onlyIf(isShown, reject(rule, change)))
}

export const rejectionFaults = table
  .trim()
  .split('\n')
  .flatMap((row) => {
    const [requirements = '', name = '', rules = '', ends = ''] = row.trim().split(' | ')
    const [, rule, condition, variant] = /^(\w+)(?: if (\S+))?(?: in (\S+))?$/.exec(rules) ?? []
    const isShown = requests[condition ?? 'everywhere']
    if (!isShown || !rule || !(rule in documentedRules)) throw new Error(`Not readable: ${row}`)
    const changes = ends.split('; ').map((end) => rejected(name, rule as Rejection, end, isShown))
    const faults: ReturnType<typeof at> = Object.assign({}, ...changes)
    return faultsOf('')(requirements.split(' '), variant ? inVariant(variant, faults) : faults)
  })
