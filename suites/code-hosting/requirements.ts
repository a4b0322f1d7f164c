import type { Catalogue } from '../../lib/conformance/catalogue.ts'
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
  'code-hosting/resources/json/media-types': {
    of: ['code-hosting/resources/json'],
    description: 'Media types of API responses.',
  },
  'code-hosting/versioning/release/shown': {
    of: ['code-hosting/versioning/release'],
    description: 'Server release in the response to the request of CODE_HOSTING_RELEASE.',
  },
  'code-hosting/pagination/limit-not-a-number/status': {
    of: ['code-hosting/pagination/limit-not-positive'],
    description: 'Status code of a list request with limit=abc.',
  },
  'code-hosting/pagination/page-not-a-number/status': {
    of: ['code-hosting/pagination/page-below-one'],
    description: 'Status code of a list request with page=abc.',
  },
  'code-hosting/pagination/limit-beyond-63-bits/status': {
    of: ['code-hosting/pagination/limit-lowered'],
    description: 'Status codes of list requests with a limit of 2^63 and of 10^30.',
  },
  'code-hosting/pagination/page-beyond-53-bits/status': {
    of: ['code-hosting/pagination/past-the-end'],
    description:
      'Status codes of list requests for the pages 2^53 and 2^63, and whether they have items.',
  },
  'code-hosting/errors/malformed-body/status': {
    of: ['code-hosting/errors/malformed-body'],
    description: 'Status code of a token creation request with a body that cannot be parsed.',
  },
  'code-hosting/errors/documentation-link/origin': {
    of: [
      'code-hosting/errors/documentation-link',
      'code-hosting/authentication/missing-credentials',
    ],
    description: 'Origin of the url field in an error response.',
  },
  'code-hosting/tokens/unknown-scope/status': {
    of: ['code-hosting/tokens/unknown-scope'],
    description: 'Status code of a token creation request with an undocumented scope.',
  },
  'code-hosting/scopes/public-only-hides-private/status': {
    of: ['code-hosting/scopes/public-only-hides-private'],
    description: 'Status code of a request for a private repository with a public-only token.',
  },
  'code-hosting/scopes/repositories/required': {
    of: ['code-hosting/scopes/message-names-required'],
    description: 'Scopes that GET /user/repos names as required.',
  },
  'code-hosting/authentication/sudo-admin-only/status': {
    of: ['code-hosting/authentication/sudo-admin-only'],
    description: 'Status code of a request with sudo by a user who is not a site administrator.',
  },
  'code-hosting/pagination/link/origin': {
    of: ['code-hosting/pagination/link-form', 'code-hosting/pagination/link-targets'],
    description: 'Origin of the targets in Link.',
  },
  'code-hosting/pagination/link/first-page-names-first': {
    of: ['code-hosting/pagination/link-relations'],
    description: 'Whether Link on the first page includes the relation type first.',
  },
  'code-hosting/pagination/link/last-page-names-last': {
    of: ['code-hosting/pagination/link-relations'],
    description: 'Whether Link on the last page includes the relation type last.',
  },
} as const satisfies Catalogue<RequirementId>['observations']

export const codeHosting: Catalogue<RequirementId, keyof typeof observations> = {
  service: 'code-hosting',
  document: 'Code Hosting Service HTTP API',
  requirements,
  needs: codeHostingNeeds,
  observations,
  documentsStatuses: true,
}
