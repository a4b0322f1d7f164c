import type { ReferenceService } from '../rule-tables.ts'
import type { Rules } from './changes.ts'
import { endpoints, respond } from './endpoints.ts'
import { faults } from './faults/index.ts'
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
import * as variants from './variants/index.ts'

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
  faults,
  variants: Object.values(variants).flat(),
}
