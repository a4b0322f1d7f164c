import { jsonParts, type ResponseParts } from '../../http/response-parts.ts'
import { type Call, callerOf, type EndpointDefinition } from '../call.ts'

function readUser(call: Call): ResponseParts {
  const { context, rules } = call
  const record = rules.userRecord(callerOf(call).account, context)
  return jsonParts(200, record, rules.contentType(200, context))
}

function readSettings({ context, rules }: Call): ResponseParts {
  const record = rules.settingsRecord(context.deployment.settings, context)
  return jsonParts(200, record, rules.contentType(200, context))
}

function readDocumentation({ context, rules }: Call): ResponseParts {
  return rules.documentationPage(context)
}

export const userEndpoints: readonly EndpointDefinition[] = [
  { endpoint: 'user', method: 'GET', path: '/api/v1/user', handle: readUser },
]

export const serverEndpoints: readonly EndpointDefinition[] = [
  { endpoint: 'settings', method: 'GET', path: '/api/v1/settings/api', handle: readSettings },
  { endpoint: 'documentation', method: 'GET', path: '/api/swagger', handle: readDocumentation },
]
