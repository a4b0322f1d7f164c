import type { ReferenceService } from '../rule-tables.ts'
import type { Rules } from './changes.ts'
import { endpoints, respond } from './endpoints.ts'
import { authenticationFaults } from './faults/authentication.ts'
import { combinationFaults } from './faults/combinations.ts'
import { errorFaults } from './faults/errors.ts'
import { limitFaults } from './faults/limits.ts'
import { linkFaults } from './faults/links.ts'
import { pageHeaderFaults } from './faults/page-headers.ts'
import { pageItemFaults } from './faults/page-items.ts'
import { rareErrorFaults } from './faults/rare-errors.ts'
import { rejectionFaults } from './faults/rejections.ts'
import { resourceFaults } from './faults/resources.ts'
import { scopeFaults } from './faults/scopes.ts'
import { sequenceFaults } from './faults/sequences.ts'
import { severalScopesFaults } from './faults/several-scopes.ts'
import { tokenSchemeFaults } from './faults/token-schemes.ts'
import { tokenFaults } from './faults/tokens.ts'
import { furtherEndpoints } from './further-endpoints.ts'
import { documentedRules } from './rules.ts'
import {
  type Configuration,
  defaultPopulation,
  defaultSettings,
  environmentOf,
  populate,
  type RequestContext,
} from './server.ts'
import { authenticationVariants } from './variants/authentication.ts'
import { configurationVariants } from './variants/configuration.ts'
import { linkVariants } from './variants/links.ts'
import { listVariants } from './variants/lists.ts'
import { responseVariants } from './variants/responses.ts'

export const codeHosting: ReferenceService<'code-hosting', Rules, RequestContext, Configuration> = {
  name: 'code-hosting',
  rules: documentedRules,
  endpoints: { ...endpoints, ...furtherEndpoints },
  respond,
  deploy: (address, { settings: changed, population, siteAdmins }) => {
    const settings = { ...defaultSettings, ...changed }
    const store = populate({ ...defaultPopulation(settings), ...population }, siteAdmins)
    return { ...address, settings, store }
  },
  environment: environmentOf,
  faults: [
    ...rejectionFaults,
    ...errorFaults,
    ...authenticationFaults,
    ...tokenSchemeFaults,
    ...tokenFaults,
    ...scopeFaults,
    ...resourceFaults,
    ...limitFaults,
    ...pageItemFaults,
    ...pageHeaderFaults,
    ...linkFaults,
    ...rareErrorFaults,
    ...sequenceFaults,
    ...severalScopesFaults,
    ...combinationFaults,
  ],
  variants: [
    ...configurationVariants,
    ...authenticationVariants,
    ...listVariants,
    ...linkVariants,
    ...responseVariants,
  ],
}
