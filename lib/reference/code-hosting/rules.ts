import {
  type AuthenticationRules,
  authenticationRules,
  type OneTimeCodeRules,
  oneTimeCodeRules,
  type SudoRules,
  sudoRules,
} from './rules/authentication.ts'
import {
  type LinkRules,
  linkRules,
  type PaginationRules,
  paginationRules,
} from './rules/pagination.ts'
import { type ResourceRules, resourceRules } from './rules/resources.ts'
import {
  type ErrorRules,
  errorRules,
  type ResponseRules,
  responseRules,
} from './rules/responses.ts'
import { type ScopeRules, scopeRules, type TokenRules, tokenRules } from './rules/tokens.ts'

/**
 * Every rule of the document as a function that stands alone: none calls another, so that one can be
 * replaced and nothing else changes.
 */
export interface Rules
  extends Readonly<AuthenticationRules>,
    Readonly<OneTimeCodeRules>,
    Readonly<SudoRules>,
    Readonly<ScopeRules>,
    Readonly<TokenRules>,
    Readonly<ErrorRules>,
    Readonly<ResourceRules>,
    Readonly<PaginationRules>,
    Readonly<LinkRules>,
    Readonly<ResponseRules> {}

/** The rules as the document states them. */
export const documentedRules: Rules = {
  ...authenticationRules,
  ...oneTimeCodeRules,
  ...sudoRules,
  ...scopeRules,
  ...tokenRules,
  ...errorRules,
  ...resourceRules,
  ...paginationRules,
  ...linkRules,
  ...responseRules,
}
