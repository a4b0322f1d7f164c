import type { Catalogue } from '../../lib/conformance/requirement.ts'
import { codeHostingNeeds } from './needs.ts'
import { authentication } from './requirements/authentication.ts'
import { documentationAndErrors } from './requirements/documentation-and-errors.ts'
import { pagination, resources } from './requirements/resources-and-pagination.ts'
import { limits, settings, versioning } from './requirements/settings-limits-and-versioning.ts'
import { scopes, tokens } from './requirements/tokens-and-scopes.ts'

const requirements = [
  ...documentationAndErrors,
  ...authentication,
  ...tokens,
  ...scopes,
  ...resources,
  ...pagination,
  ...settings,
  ...limits,
  ...versioning,
]

export type RequirementId = (typeof requirements)[number]['id']

const observations = {
  'code-hosting/resources/user/fields': ['code-hosting/resources/user'],
  'code-hosting/resources/repository/fields': ['code-hosting/resources/repository'],
  'code-hosting/resources/json/media-types': ['code-hosting/resources/json'],
  'code-hosting/versioning/release/shown': ['code-hosting/versioning/release'],
  'code-hosting/tokens/created/fields': ['code-hosting/tokens/created'],
  'code-hosting/pagination/limit-not-a-number/status': [
    'code-hosting/pagination/limit-not-positive',
  ],
  'code-hosting/pagination/page-not-a-number/status': ['code-hosting/pagination/page-below-one'],
  'code-hosting/pagination/limit-beyond-63-bits/status': ['code-hosting/pagination/limit-lowered'],
  'code-hosting/pagination/page-beyond-53-bits/status': ['code-hosting/pagination/past-the-end'],
  'code-hosting/errors/malformed-body/status': ['code-hosting/errors/malformed-body'],
  'code-hosting/errors/documentation-link/origin': [
    'code-hosting/errors/documentation-link',
    'code-hosting/authentication/missing-credentials',
  ],
  'code-hosting/tokens/unknown-scope/status': ['code-hosting/tokens/unknown-scope'],
  'code-hosting/scopes/public-only-hides-private/status': [
    'code-hosting/scopes/public-only-hides-private',
  ],
  'code-hosting/scopes/repositories/required': ['code-hosting/scopes/message-names-required'],
  'code-hosting/authentication/sudo-admin-only/status': [
    'code-hosting/authentication/sudo-admin-only',
  ],
  'code-hosting/pagination/link/origin': [
    'code-hosting/pagination/link-form',
    'code-hosting/pagination/link-targets',
  ],
  'code-hosting/pagination/link/first-page-names-first': ['code-hosting/pagination/link-relations'],
  'code-hosting/pagination/link/last-page-names-last': ['code-hosting/pagination/link-relations'],
} as const satisfies Readonly<Record<string, readonly RequirementId[]>>

const descriptions: Record<keyof typeof observations, string> = {
  'code-hosting/resources/user/fields': 'Structure of the user record.',
  'code-hosting/resources/repository/fields': 'Structure of the repository record.',
  'code-hosting/resources/json/media-types': 'Media types of API responses.',
  'code-hosting/versioning/release/shown':
    'Server release in the response to the request of CODE_HOSTING_RELEASE.',
  'code-hosting/tokens/created/fields':
    'Structure of the token record that token creation returns.',
  'code-hosting/pagination/limit-not-a-number/status':
    'Status code of a list request with limit=abc.',
  'code-hosting/pagination/page-not-a-number/status':
    'Status code of a list request with page=abc.',
  'code-hosting/pagination/limit-beyond-63-bits/status':
    'Status codes of list requests with a limit of 2^63 and of 10^30.',
  'code-hosting/pagination/page-beyond-53-bits/status':
    'Status codes of list requests for the pages 2^53 and 2^63, and whether they have items.',
  'code-hosting/errors/malformed-body/status':
    'Status code of a token creation request with a body that cannot be parsed.',
  'code-hosting/errors/documentation-link/origin': 'Origin of the url field in an error response.',
  'code-hosting/tokens/unknown-scope/status':
    'Status code of a token creation request with an undocumented scope.',
  'code-hosting/scopes/public-only-hides-private/status':
    'Status code of a request for a private repository with a public-only token.',
  'code-hosting/scopes/repositories/required': 'Scopes that GET /user/repos names as required.',
  'code-hosting/authentication/sudo-admin-only/status':
    'Status code of a request with sudo by a user who is not a site administrator.',
  'code-hosting/pagination/link/origin': 'Origin of the targets in Link.',
  'code-hosting/pagination/link/first-page-names-first':
    'Whether Link on the first page includes the relation type first.',
  'code-hosting/pagination/link/last-page-names-last':
    'Whether Link on the last page includes the relation type last.',
}

export const codeHosting: Catalogue<RequirementId, keyof typeof observations> = {
  service: 'code-hosting',
  document: 'Code Hosting Service HTTP API',
  requirements,
  needs: codeHostingNeeds,
  observations,
  descriptions,
  documentsStatuses: true,
}
