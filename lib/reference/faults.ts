import type { Fault } from './code-hosting/fault.ts'
import { authenticationFaults } from './code-hosting/faults/authentication.ts'
import { delegatedAuthenticationFaults } from './code-hosting/faults/delegated-authentication.ts'
import { errorFaults } from './code-hosting/faults/errors.ts'
import { linkFaults } from './code-hosting/faults/link.ts'
import { paginationFaults } from './code-hosting/faults/pagination.ts'
import { resourceFaults } from './code-hosting/faults/resources.ts'
import { responseFaults } from './code-hosting/faults/responses.ts'
import { scopeFaults } from './code-hosting/faults/scopes.ts'
import { tokenFaults } from './code-hosting/faults/tokens.ts'
import { entryNamed } from './nearest-name.ts'

/** Every fault that the reference deployment can be started with, in the order of the document. */
export const faults: readonly Fault[] = [
  ...errorFaults,
  ...responseFaults,
  ...authenticationFaults,
  ...delegatedAuthenticationFaults,
  ...tokenFaults,
  ...scopeFaults,
  ...resourceFaults,
  ...paginationFaults,
  ...linkFaults,
]

/** @throws Error when there is none of that name */
export function faultNamed(name: string): Fault {
  return entryNamed('fault', faults, name)
}
