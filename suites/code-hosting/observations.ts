import type { ObservationEntry } from '../../lib/conformance/requirement.ts'

/** What the document of the code hosting service leaves open and Plumbline records. */
export const observations = [
  {
    id: 'code-hosting/resources/user/fields',
    description: 'Shape of the user record, of which the document shows one field.',
    with: ['code-hosting/resources/user'],
  },
  {
    id: 'code-hosting/resources/repository/fields',
    description: 'Shape of the repository record, of which the document shows one field.',
    with: ['code-hosting/resources/repository'],
  },
  {
    id: 'code-hosting/tokens/created/fields',
    description: 'Shape of the record of a created token.',
    with: ['code-hosting/tokens/created'],
  },
  {
    id: 'code-hosting/pagination/limit-not-a-number/status',
    description: 'Status for a list with limit=abc.',
    with: ['code-hosting/pagination/limit-not-positive'],
  },
  {
    id: 'code-hosting/pagination/page-not-a-number/status',
    description: 'Status for a list with page=abc.',
    with: ['code-hosting/pagination/page-below-one'],
  },
  {
    id: 'code-hosting/errors/malformed-body/status',
    description: 'Status for a token creation whose body is not JSON.',
    with: ['code-hosting/errors/malformed-body'],
  },
  {
    id: 'code-hosting/errors/documentation-link/origin',
    description: 'Origin that the url of an error body names.',
    with: [
      'code-hosting/errors/documentation-link',
      'code-hosting/authentication/missing-credentials',
    ],
  },
  {
    id: 'code-hosting/tokens/unknown-scope/status',
    description: 'Status for a token creation with a scope that is not documented.',
    with: ['code-hosting/tokens/unknown-scope'],
  },
  {
    id: 'code-hosting/scopes/public-only-hides-private/status',
    description: 'Status for a private repository when the token has public-only.',
    with: ['code-hosting/scopes/public-only-hides-private'],
  },
  {
    id: 'code-hosting/scopes/repositories/required',
    description: 'Scopes that GET /user/repos names as required.',
    with: ['code-hosting/scopes/message-names-required'],
  },
  {
    id: 'code-hosting/pagination/link/origin',
    description: 'Origin that the targets of Link name.',
    with: ['code-hosting/pagination/link-form', 'code-hosting/pagination/link-targets'],
  },
  {
    id: 'code-hosting/pagination/link/first-page-names-first',
    description: 'Whether the first page has a link to the first page.',
    with: ['code-hosting/pagination/link-relations'],
  },
  {
    id: 'code-hosting/pagination/link/last-page-names-last',
    description: 'Whether the last page has a link to the last page.',
    with: ['code-hosting/pagination/link-relations'],
  },
] as const satisfies readonly ObservationEntry[]
