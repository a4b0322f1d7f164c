import type { Fault } from './fault.ts'
import { bearerFaults } from './faults/bearer.ts'
import { delegatedAuthenticationFaults } from './faults/delegated-authentication.ts'
import { deprecationHeaderFaults } from './faults/deprecation-headers.ts'
import { documentationAndVersioningFaults } from './faults/documentation-and-versioning.ts'
import { errorBodyFaults } from './faults/error-bodies.ts'
import { errorFaults } from './faults/errors.ts'
import { invalidCredentialsFaults } from './faults/invalid-credentials.ts'
import { legacySchemeFaults } from './faults/legacy-scheme.ts'
import { linkFaults } from './faults/link.ts'
import { linkRelationFaults } from './faults/link-relations.ts'
import { linkTargetFaults } from './faults/link-targets.ts'
import { longListFaults } from './faults/long-lists.ts'
import { missingCredentialsFaults } from './faults/missing-credentials.ts'
import { otherCredentialsFaults } from './faults/other-credentials.ts'
import { pageCountFaults } from './faults/page-counts.ts'
import { pageHeaderFaults } from './faults/page-headers.ts'
import { pageNumberFaults } from './faults/page-numbers.ts'
import { pageSizeFaults } from './faults/page-size.ts'
import { publicOnlyFaults } from './faults/public-only.ts'
import { resourceFaults } from './faults/resources.ts'
import { responseFaults } from './faults/responses.ts'
import { scopeMessageFaults } from './faults/scope-messages.ts'
import { scopeFaults } from './faults/scopes.ts'
import { serverErrorFaults } from './faults/server-errors.ts'
import { settingsFaults } from './faults/settings.ts'
import { tokenRecordFaults } from './faults/token-records.ts'
import { tokenFaults } from './faults/tokens.ts'

/** Every fault of the code hosting service, in the order of the document. */
export const codeHostingFaults: readonly Fault[] = [
  ...documentationAndVersioningFaults,
  ...errorFaults,
  ...errorBodyFaults,
  ...serverErrorFaults,
  ...responseFaults,
  ...missingCredentialsFaults,
  ...invalidCredentialsFaults,
  ...bearerFaults,
  ...legacySchemeFaults,
  ...deprecationHeaderFaults,
  ...otherCredentialsFaults,
  ...delegatedAuthenticationFaults,
  ...tokenFaults,
  ...tokenRecordFaults,
  ...scopeFaults,
  ...scopeMessageFaults,
  ...publicOnlyFaults,
  ...resourceFaults,
  ...pageSizeFaults,
  ...pageNumberFaults,
  ...pageHeaderFaults,
  ...pageCountFaults,
  ...linkFaults,
  ...linkRelationFaults,
  ...linkTargetFaults,
  ...longListFaults,
  ...settingsFaults,
]
