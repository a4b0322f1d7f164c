import { defineRequirements } from '../../../lib/conformance/catalogue.ts'
import type { CodeHostingNeed } from '../needs.ts'

const define = defineRequirements<CodeHostingNeed>()

/** Returns a function that defines requirements with these defaults. */
export const requirements =
  (defaults: Parameters<typeof define>[0]) =>
  <Id extends string>(table: Parameters<typeof define<Id>>[1]) =>
    define(defaults, table)

/** Needs of requirements that are judged by creating tokens. */
export const creating = ['main account password', 'token creation', 'write requests'] as const

/** Tolerances of several requirements. */
export const anyRejectionStatus = {
  'any-refusal-status': 'The server may reject the request with any status code other than 2xx.',
}
export const anonymousEither = {
  'anonymous-401-or-404':
    'For a request without credentials, the server may return either 401 or 404.',
}
export const furtherFields = { 'further-fields': 'The server may send additional fields.' }
export const loginInAnyCase = {
  'login-in-any-case': 'The server may return the username in any letter case.',
}
export const movingData = {
  'moving-data': 'The list may change while it is being read; it is then read again.',
}
