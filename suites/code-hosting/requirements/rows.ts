import { rowsFor } from '../../../lib/conformance/requirement.ts'
import type { CodeHostingNeed } from '../needs.ts'

const rowsOf = rowsFor<CodeHostingNeed>()

/** Rows with what most of them have in common. */
export const rows =
  (usual: Parameters<typeof rowsOf>[0]) =>
  <Id extends string>(table: Parameters<typeof rowsOf<Id>>[1]) =>
    rowsOf(usual, table)

/** What the requirements need that are judged by creating tokens. */
export const creating = ['password', 'password in place of a token', 'writing'] as const

/** What several requirements tolerate. */
export const anyRefusalStatus = { 'any-refusal-status': 'Any status but success.' }
export const anonymousEither = {
  'anonymous-401-or-404':
    'For a request without credentials, the server may return either 401 or 404.',
}
export const furtherFields = { 'further-fields': 'Further fields.' }
export const loginInAnyCase = { 'login-in-any-case': 'The login name in any case.' }
export const movingData = {
  'moving-data': 'A list that changes while it is read: it is read again.',
}
