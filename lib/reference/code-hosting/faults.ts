import { authenticationFaults } from './faults/authentication.ts'
import { documentationAndSettingsFaults } from './faults/documentation-and-settings.ts'
import { errorFaults } from './faults/errors.ts'
import { linkFaults } from './faults/links.ts'
import { pageFaults } from './faults/pages.ts'
import { resourceFaults } from './faults/resources.ts'
import { scopeFaults, tokenFaults } from './faults/tokens-and-scopes.ts'

/** Every fault of the code hosting service. */
export const codeHostingFaults = [
  ...documentationAndSettingsFaults,
  ...errorFaults,
  ...authenticationFaults,
  ...tokenFaults,
  ...scopeFaults,
  ...resourceFaults,
  ...pageFaults,
  ...linkFaults,
]
