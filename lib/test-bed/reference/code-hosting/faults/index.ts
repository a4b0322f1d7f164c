import { authenticationFaults } from './authentication.ts'
import { combinationFaults } from './combinations.ts'
import { errorFaults } from './errors.ts'
import { limitFaults } from './limits.ts'
import { linkFaults } from './links.ts'
import { pageHeaderFaults } from './page-headers.ts'
import { pageItemFaults } from './page-items.ts'
import { rejectionFaults } from './rejections.ts'
import { resourceFaults } from './resources.ts'
import { scopeFaults } from './scopes.ts'
import { senderFaults } from './senders.ts'
import { sequenceFaults } from './sequences.ts'
import { tokenSchemeFaults } from './token-schemes.ts'
import { tokenFaults } from './tokens.ts'

/** Faults that show in one response precede faults that need another request or a level of another factor. */
export const faults = [
  ...errorFaults,
  ...authenticationFaults,
  ...tokenSchemeFaults,
  ...tokenFaults,
  ...scopeFaults,
  ...resourceFaults,
  ...pageHeaderFaults,
  ...limitFaults,
  ...linkFaults,
  ...pageItemFaults,
  ...rejectionFaults,
  ...sequenceFaults,
  ...combinationFaults,
  ...senderFaults,
]
