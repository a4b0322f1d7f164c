import { refuse } from '../../http/refusal.ts'
import { jsonParts, noContentParts, type ResponseParts } from '../../http/response-parts.ts'
import { checkOneTimeCode } from '../authenticate.ts'
import {
  type Call,
  callerOf,
  type EndpointDefinition,
  jsonObject,
  pathValue,
  requiredText,
} from '../call.ts'
import { newTokenValue } from '../deployment.ts'
import { listPage } from '../paginate.ts'
import type { Account } from '../store.ts'

function managedAccount(call: Call): Account {
  const { context, rules } = call
  const caller = callerOf(call)
  if (!rules.managesTokens(context)) refuse(rules.passwordRequired(context))
  checkOneTimeCode(call)
  const login = pathValue(call, 'username')
  const account = context.deployment.store.account(login)
  if (account === undefined) return refuse(rules.missingAccount(login, context))
  if (!rules.mayManageTokensOf(account, caller, context)) refuse(rules.foreignTokens(context))
  return account
}

function requestedScopes(call: Call, account: Account, value: unknown): readonly string[] {
  const { context, rules } = call
  if (!Array.isArray(value) || !value.every((scope) => typeof scope === 'string')) {
    return refuse(rules.invalidField('scopes', 'an array of strings is required', context))
  }
  for (const scope of value) {
    if (!rules.scopeKnown(scope, context)) refuse(rules.unknownScope(scope, context))
    if (!rules.mayGrant(scope, account, context)) refuse(rules.scopeNotGrantable(scope, context))
  }
  const refused = rules.scopesRefused(value, context)
  return refused === undefined ? value : refuse(refused)
}

async function createToken(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const { store } = context.deployment
  const account = managedAccount(call)
  const body = await jsonObject(call)
  const name = requiredText(call, body, 'name')
  const scopes = requestedScopes(call, account, body.scopes)
  if (rules.tokenNameTaken(store.tokens(), account, name, context)) {
    refuse(rules.duplicateTokenName(name, context))
  }
  const token = store.addToken({
    login: account.login,
    name,
    scopes: rules.grantedScopes(scopes, context),
    value: newTokenValue(),
  })
  const status = rules.createdTokenStatus(context)
  const record = rules.tokenRecord(token, rules.lastEight(token.value, context), context)
  return jsonParts(status, record, rules.contentType(status, context))
}

function listTokens(call: Call): ResponseParts {
  const { context, rules } = call
  const account = managedAccount(call)
  const tokens = context.deployment.store.tokens().filter(({ login }) => login === account.login)
  return listPage(call, tokens, (token) =>
    rules.listedTokenRecord(token, rules.lastEight(token.value, context), context),
  )
}

function deleteToken(call: Call): ResponseParts {
  const { context, rules } = call
  const { store } = context.deployment
  const account = managedAccount(call)
  const name = pathValue(call, 'name')
  const token = store
    .tokens()
    .find((candidate) => candidate.login === account.login && candidate.name === name)
  if (token === undefined) return refuse(rules.missingToken(context))
  store.deleteToken(token)
  return noContentParts()
}

const path = '/api/v1/users/:username/tokens'

export const tokenEndpoints: readonly EndpointDefinition[] = [
  { endpoint: 'create-token', method: 'POST', path, handle: createToken },
  { endpoint: 'list-tokens', method: 'GET', path, handle: listTokens },
  { endpoint: 'delete-token', method: 'DELETE', path: `${path}/:name`, handle: deleteToken },
]
