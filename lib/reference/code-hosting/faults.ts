import type { Fault } from './fault.ts'
import { authenticationFaults } from './faults/authentication.ts'
import { delegatedAuthenticationFaults } from './faults/delegated-authentication.ts'
import { errorFaults } from './faults/errors.ts'
import { linkFaults } from './faults/link.ts'
import { paginationFaults } from './faults/pagination.ts'
import { resourceFaults } from './faults/resources.ts'
import { responseFaults } from './faults/responses.ts'
import { scopeFaults } from './faults/scopes.ts'
import { tokenFaults } from './faults/tokens.ts'

/** Every fault of the code hosting service, in the order of the document. */
export const codeHostingFaults: readonly Fault[] = [
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
