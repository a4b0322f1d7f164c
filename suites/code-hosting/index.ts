/** The requirements of code hosting, in the order of the document, and the service. */

import { catalogueOfSuite } from '../../lib/conformance/requirements.ts'
import type { Suite } from '../../lib/conformance/suite.ts'
import type { Impact } from '../../lib/results/run-report.ts'
import { defineService } from '../service.ts'
import * as authentication from './authentication.suite.ts'
import type {
  CodeHostingContext,
  CodeHostingObservation,
  CodeHostingRequirement,
  CodeHostingRequirements,
} from './context.ts'
import * as errors from './errors.suite.ts'
import { type Case, describe, idOf, sequences, under } from './levels.ts'
import * as pagination from './pagination.suite.ts'
import * as resources from './resources.suite.ts'
import * as scopes from './scopes.suite.ts'
import * as tokens from './tokens.suite.ts'
import { type CodeHostingSettings, codeHostingNeeds, codeHostingVariables } from './variables.ts'

/** Returns requirements with the parts that most have: the section, and nothing is said about disabled schemes. */
const inSection = (section: string, requirements: CodeHostingRequirements, impact?: Impact) =>
  Object.fromEntries(
    Object.entries(requirements).map(([name, one]) => {
      return [name, { section, under, ...(impact && { impact }), ...one }]
    }),
  )

const requirements: Readonly<Record<string, CodeHostingRequirement>> = {
  ...inSection('Errors', errors.requirements),
  ...inSection('Sending a token', authentication.requirements, 'access'),
  ...inSection('Access token', tokens.requirements, 'access'),
  ...inSection('Scopes', scopes.requirements, 'access'),
  ...inSection('Endpoints', resources.resources),
  ...inSection('Pagination of list endpoints', pagination.requirements),
  ...inSection('API settings record', resources.settings),
}

const observations: Readonly<Record<string, CodeHostingObservation>> = {
  ...resources.observations,
  ...tokens.observations,
  ...pagination.observations,
  ...errors.observations,
  ...scopes.observations,
  ...authentication.observations,
}

export const suite: Suite<Case, CodeHostingSettings, CodeHostingContext> = {
  catalogue: catalogueOfSuite(
    {
      service: 'code-hosting',
      document: 'Code Hosting Service HTTP API',
      needs: codeHostingNeeds,
      documentsStatuses: true,
    },
    requirements,
    observations,
  ),
  requirements,
  observations,
  settingsOf: ({ codeHosting }) => codeHosting?.settings,
  sequences,
  idOf,
  describe,
  async load() {
    const { codeHostingPreflight, createCodeHostingContext } = await import('./context.ts')
    return { preflight: codeHostingPreflight, createContext: createCodeHostingContext }
  },
}

export const service = defineService({
  about: 'Gitea-like: tokens, scopes, pagination, legacy authentication',
  suite,
  variables: codeHostingVariables,
  firstPath: '/api/v1/settings/api',
  doctor: async () => (await import('./doctor.ts')).codeHostingDoctor,
  creations: {
    kinds: ['access token'],
    sweeper: async () => (await import('./tokens.ts')).sweeper,
  },
  provisioners: { gitea: async () => (await import('./provision/provision.ts')).provisioner },
})
