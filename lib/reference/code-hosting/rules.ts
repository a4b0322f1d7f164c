import { ruleReplacer } from '../replace-rule.ts'
import { type AuthenticationRules, authenticationRules } from './rules/authentication.ts'
import { type ErrorRules, errorRules } from './rules/errors.ts'
import { type LinkRules, linkRules } from './rules/link.ts'
import { type OneTimeCodeRules, oneTimeCodeRules } from './rules/one-time-codes.ts'
import { type PaginationRules, paginationRules } from './rules/pagination.ts'
import { type ResourceRules, resourceRules } from './rules/resources.ts'
import { type ResponseRules, responseRules } from './rules/responses.ts'
import { type ScopeRules, scopeRules } from './rules/scopes.ts'
import { type SudoRules, sudoRules } from './rules/sudo.ts'
import { type TokenRules, tokenRules } from './rules/tokens.ts'

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

/** A change of the rules. It is applied once per start, so that it may keep state of its own. */
export type RuleChange = (rules: Rules) => Rules

/** Replaces one rule by what is made of it. */
export const replaceRule = ruleReplacer<Rules>()
