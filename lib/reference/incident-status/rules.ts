import { ruleReplacer } from '../replace-rule.ts'
import { type AuthenticationRules, authenticationRules } from './rules/authentication.ts'
import { type ErrorRules, errorRules } from './rules/errors.ts'
import { type UpdateRules, updateRules } from './rules/updates.ts'

/**
 * Every rule of the document, and a choice wherever it leaves one, as a function that stands alone:
 * none calls another, so that one can be replaced and nothing else changes.
 */
export interface Rules
  extends Readonly<AuthenticationRules>,
    Readonly<UpdateRules>,
    Readonly<ErrorRules> {}

/** The rules as the document states them. */
export const documentedRules: Rules = { ...authenticationRules, ...updateRules, ...errorRules }

/** A change of the rules. It is applied once per start, so that it may keep state of its own. */
export type RuleChange = (rules: Rules) => Rules

/** Replaces one rule by what is made of it. */
export const replaceRule = ruleReplacer<Rules>()
