import { answered, type Handler, type Refusal, refuse } from '../endpoints.ts'
import type { Answer, ResponseParts } from '../http.ts'
import type { ReferenceService } from '../service.ts'
import { authenticate, authorize } from './authenticate.ts'
import {
  type Deployment,
  defaultSettings,
  type Endpoint,
  type RequestContext,
} from './deployment.ts'
import { endpoints, jsonRecord } from './endpoints.ts'
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
import { type Call, documentedRules, type Rules } from './rules.ts'
import { answerVariants } from './variants/answers.ts'
import { authenticationVariants } from './variants/authentication.ts'
import { configurationVariants } from './variants/configuration.ts'
import { environmentVariants } from './variants/environment.ts'
import { linkVariants } from './variants/links.ts'
import { listVariants } from './variants/lists.ts'

function errorParts(call: Call, refusal: Refusal): ResponseParts {
  const { context, rules } = call
  const link = rules.documentationLink(rules.publicAddress(context), context)
  const parts = jsonRecord(call, refusal.status, rules.errorBody(refusal, link, context))
  const challenge = refusal.status === 401 ? rules.challenge(context) : undefined
  if (challenge !== undefined) parts.headers.set('WWW-Authenticate', challenge)
  return parts
}

function schemeHeaders({ context, rules }: Call): Readonly<Record<string, string>> {
  if (context.caller === undefined) return {}
  if (context.credentials?.scheme === 'legacy') return rules.legacyHeaders(context)
  if (context.credentials?.scheme === 'bearer') return rules.bearerHeaders(context)
  return {}
}

/** Takes requests through the rules to their responses. */
function answering(
  deployment: Deployment,
  rules: Rules,
  endpoint: Endpoint,
  handle: Handler<RequestContext, Rules>,
): Answer {
  return async ({ text, ...request }) => {
    const call: Call = { context: { ...request, deployment, endpoint }, rules, text }
    const parts = await answered(
      call,
      ({ context }) => {
        const early = rules.begin(context)
        if (early !== undefined) return early
        authenticate(call)
        authorize(call)
        return handle(call)
      },
      (refusal) => errorParts(call, refusal),
    )
    for (const [name, value] of Object.entries(schemeHeaders(call))) parts.headers.set(name, value)
    return rules.finish(parts, call.context)
  }
}

export const codeHosting: ReferenceService<'code-hosting', Rules, Deployment, Configuration> = {
  name: 'code-hosting',
  rules: documentedRules,
  deploy: (place, { settings: changed, population }) => {
    const settings = { ...defaultSettings, ...changed }
    const store = populate({ ...defaultPopulation(settings), ...population })
    return { ...place, settings, store }
  },
  routes: (deployment, rules) =>
    endpoints.map(({ endpoint, method, path, handle }) => ({
      method,
      path,
      answer: answering(deployment, rules, endpoint, handle),
    })),
  missing: (deployment, rules) =>
    answering(deployment, rules, 'unknown', ({ context }) =>
      refuse(rules.missingEndpoint(context)),
    ),
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
