import type { ReferenceService } from '../service.ts'
import type { Rules } from './changes.ts'
import { defaultSettings, type RequestContext } from './deployment.ts'
import { answer, endpoints } from './endpoints.ts'
import { authenticationFaults } from './faults/authentication.ts'
import { errorFaults } from './faults/errors.ts'
import { legacySchemeFaults } from './faults/legacy-scheme.ts'
import { linkFaults } from './faults/links.ts'
import { pageHeaderFaults } from './faults/page-headers.ts'
import { pageItemFaults } from './faults/page-items.ts'
import { resourceFaults } from './faults/resources.ts'
import { scopeFaults } from './faults/scopes.ts'
import { documentationAndSettingsFaults } from './faults/settings.ts'
import { tokenFaults } from './faults/tokens.ts'
import { type Configuration, defaultPopulation, environmentOf, populate } from './population.ts'
import { documentedRules } from './rules.ts'
import { answerVariants } from './variants/answers.ts'
import { authenticationVariants } from './variants/authentication.ts'
import { configurationVariants } from './variants/configuration.ts'
import { environmentVariants } from './variants/environment.ts'
import { linkVariants } from './variants/links.ts'
import { listVariants } from './variants/lists.ts'

export const codeHosting: ReferenceService<'code-hosting', Rules, RequestContext, Configuration> = {
  name: 'code-hosting',
  rules: documentedRules,
  endpoints,
  answer,
  deploy: (place, { settings: changed, population }) => {
    const settings = { ...defaultSettings, ...changed }
    const store = populate({ ...defaultPopulation(settings), ...population })
    return { ...place, settings, store }
  },
  environment: environmentOf,
  faults: [
    ...documentationAndSettingsFaults,
    ...errorFaults,
    ...authenticationFaults,
    ...legacySchemeFaults,
    ...tokenFaults,
    ...scopeFaults,
    ...resourceFaults,
    ...pageItemFaults,
    ...pageHeaderFaults,
    ...linkFaults,
  ],
  variants: [
    ...configurationVariants,
    ...environmentVariants,
    ...authenticationVariants,
    ...linkVariants,
    ...listVariants,
    ...answerVariants,
  ],
}
