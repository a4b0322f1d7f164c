/** The requirements of code hosting, in the order of the document. */

import { catalogueOfSuite } from '../../lib/conformance/requirements.ts'
import type { Suite } from '../../lib/conformance/suite.ts'
import * as authentication from './authentication.suite.ts'
import type {
  CodeHostingContext,
  CodeHostingObservation,
  CodeHostingRequirement,
} from './context.ts'
import * as errors from './errors.suite.ts'
import { type Case, describe, idOf, needsOf, sequences } from './levels.ts'
import { codeHostingNeeds } from './needs.ts'
import * as pagination from './pagination.suite.ts'
import * as resources from './resources.suite.ts'
import * as scopes from './scopes.suite.ts'
import type { View } from './sender.ts'
import * as tokens from './tokens.suite.ts'
import type { CodeHostingSettings } from './variables.ts'

const requirements: Readonly<Record<string, CodeHostingRequirement>> = {
  ...errors.requirements,
  ...authentication.requirements,
  ...tokens.requirements,
  ...scopes.requirements,
  ...resources.resources,
  ...pagination.requirements,
  ...resources.settings,
}

const observations: Readonly<Record<string, CodeHostingObservation>> = {
  ...resources.observations,
  ...tokens.observations,
  ...pagination.observations,
  ...errors.observations,
  ...scopes.observations,
  ...authentication.observations,
}

export const suite: Suite<Case, View, CodeHostingSettings, CodeHostingContext> = {
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
  needsOf,
  async load() {
    const { codeHostingPreflight, createCodeHostingContext } = await import('./context.ts')
    return {
      preflight: codeHostingPreflight,
      createContext: (run, table) =>
        createCodeHostingContext(run, () => table.casesOf('settings/readable-by-any-client')),
    }
  },
}
