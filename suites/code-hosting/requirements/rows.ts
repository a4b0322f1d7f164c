import { rowsFor } from '../../../lib/conformance/requirement.ts'
import type { CodeHostingNeed } from '../needs.ts'

export const rows = rowsFor<CodeHostingNeed>()

/** What several requirements tolerate. */
export const anyRefusalStatus = { 'any-refusal-status': 'Any status but success.' }
export const furtherFields = { 'further-fields': 'Further fields.' }
export const loginInAnyCase = { 'login-in-any-case': 'The login name in any case.' }
export const movingData = {
  'moving-data': 'A list that changes while it is read: it is read again.',
}
