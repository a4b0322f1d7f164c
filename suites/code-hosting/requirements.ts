import { type Catalogue, completed } from '../../lib/conformance/requirement.ts'
import { codeHostingNeeds } from './needs.ts'
import { observations } from './observations.ts'
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
] as const

export type CodeHostingRequirement = (typeof requirements)[number]['id']
export type CodeHostingObservation = (typeof observations)[number]['id']

/** Every statement of the code hosting document that Plumbline knows. */
export const codeHosting: Catalogue<CodeHostingRequirement, CodeHostingObservation> = {
  service: 'code-hosting',
  document: 'Code Hosting Service HTTP API',
  requirements: completed(requirements),
  needs: codeHostingNeeds,
  observations,
  creations: ['access token'],
  documentsStatuses: true,
}
