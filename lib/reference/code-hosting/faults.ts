import { authenticationFaults } from './faults/authentication.ts'
import { documentationAndSettingsFaults } from './faults/documentation-and-settings.ts'
import { errorFaults } from './faults/errors.ts'
import { linkFaults } from './faults/links.ts'
import { pageHeaderFaults } from './faults/page-headers.ts'
import { pageItemFaults } from './faults/page-items.ts'
import { resourceFaults } from './faults/resources.ts'
import { scopeFaults } from './faults/scopes.ts'
import { sudoAndOneTimeCodeFaults } from './faults/sudo-and-one-time-codes.ts'
import { tokenFaults } from './faults/tokens.ts'

/** Every fault of the code hosting service. */
export const codeHostingFaults = [
  ...documentationAndSettingsFaults,
  ...errorFaults,
  ...authenticationFaults,
  ...sudoAndOneTimeCodeFaults,
  ...tokenFaults,
  ...scopeFaults,
  ...resourceFaults,
  ...pageItemFaults,
  ...pageHeaderFaults,
  ...linkFaults,
]
