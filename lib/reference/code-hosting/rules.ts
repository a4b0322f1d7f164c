import { type AuthenticationRules, authenticationRules } from './rules/authentication.ts'
import { type PaginationRules, paginationRules } from './rules/pagination.ts'
import { type ResourceRules, resourceRules } from './rules/resources.ts'
import { type ResponseRules, responseRules } from './rules/responses.ts'
import { type TokenRules, tokenRules } from './rules/tokens.ts'

/**
 * Every rule of the document as a function that stands alone: none calls another, so that one can be
 * replaced and nothing else changes.
 */
export interface Rules
  extends Readonly<AuthenticationRules>,
    Readonly<TokenRules>,
    Readonly<ResourceRules>,
    Readonly<PaginationRules>,
    Readonly<ResponseRules> {}

/** The rules as the document states them. */
export const documentedRules: Rules = {
  ...authenticationRules,
  ...tokenRules,
  ...resourceRules,
  ...paginationRules,
  ...responseRules,
}
