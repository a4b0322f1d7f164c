import { type EndpointDefinition, jsonObject, refuse } from '../endpoints.ts'
import { jsonParts, type ResponseParts, responseParts } from '../http.ts'
import { checkOneTimeCode } from './authenticate.ts'
import type { Account, Caller, Endpoint, Paging, Repository, RequestContext } from './deployment.ts'
import type { Call, Rules } from './rules.ts'

/** The caller of an endpoint that needs one. */
function callerOf(call: Call): Caller {
  return call.context.caller ?? refuse(call.rules.missingCredentials(call.context))
}

/** The value of a variable of the path. */
function pathValue(call: Call, name: string): string {
  return call.context.parameters[name] ?? ''
}

/** @throws RefusedError when the content is no JSON object */
function requestedObject(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { context, rules } = call
  if (!rules.jsonMediaType(context.headers.get('Content-Type') ?? '', context)) {
    refuse(rules.malformedBody('the content type is not application/json', context))
  }
  return jsonObject(call)
}

/** @throws RefusedError when the field does not hold a string that is not empty */
function requiredText(call: Call, body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field]
  if (typeof value === 'string' && value !== '') return value
  const reason = (value ?? '') === '' ? 'a value is required' : 'a string is required'
  return refuse(call.rules.invalidField(field, reason, call.context))
}

/** The record as JSON, with the media type of the status. */
export function jsonRecord(call: Call, status: number, record: unknown): ResponseParts {
  return jsonParts(status, record, call.rules.contentType(status, call.context))
}

function pagingOf(call: Call, total: number): Paging {
  const { context, rules } = call
  const query = context.url.searchParams
  const limit = rules.effectiveLimit(query.get('limit'), context.deployment.settings, context)
  const page = rules.effectivePage(query.get('page'), context)
  return { page, limit, total, lastPage: rules.lastPage(total, limit, context) }
}

function linkField(call: Call, paging: Paging): string | undefined {
  const { context, rules } = call
  if (!rules.linkNeeded(paging, context)) return undefined
  const address = rules.publicAddress(context)
  const entries = rules.linkRelations(paging, context).map(({ relation, page }) => ({
    relation,
    target: rules.linkTarget(page, paging, address, context),
  }))
  return entries.length === 0 ? undefined : rules.formatLink(entries, context)
}

/** The requested page of a list, with the pagination headers; it leaves the paging in the context. */
function listPage<Item>(
  call: Call,
  items: readonly Item[],
  record: (item: Item) => unknown,
): ResponseParts {
  const { context, rules } = call
  const paging = pagingOf(call, items.length)
  context.paging = paging
  const shown = rules.pageItems(items, paging, context) as readonly Item[]
  const parts = jsonRecord(call, 200, shown.map(record))
  const fields = {
    'X-Total-Count': rules.totalCount(paging, shown.length, context),
    'X-Page': rules.currentPage(paging, context),
    'X-PerPage': rules.perPage(paging, context),
    'X-HasMore': rules.hasMore(paging, shown.length, context),
    Link: linkField(call, paging),
    'Access-Control-Expose-Headers': rules.exposedHeaders(context).join(', '),
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) parts.headers.set(name, value)
  }
  return parts
}

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
  const body = await requestedObject(call)
  const name = requiredText(call, body, 'name')
  const scopes = requestedScopes(call, account, body.scopes)
  if (rules.tokenNameTaken(store.tokens, account, name, context)) {
    refuse(rules.duplicateTokenName(name, context))
  }
  const token = store.addToken({
    login: account.login,
    name,
    scopes: rules.grantedScopes(scopes, context),
  })
  const record = rules.tokenRecord(token, rules.lastEight(token.value, context), context)
  return jsonRecord(call, rules.createdTokenStatus(context), record)
}

function listTokens(call: Call): ResponseParts {
  const { context, rules } = call
  const account = managedAccount(call)
  const tokens = context.deployment.store.tokens.filter(({ login }) => login === account.login)
  return listPage(call, tokens, (token) =>
    rules.listedTokenRecord(token, rules.lastEight(token.value, context), context),
  )
}

function deleteToken(call: Call): ResponseParts {
  const { context, rules } = call
  const { store } = context.deployment
  const account = managedAccount(call)
  const name = pathValue(call, 'name')
  const token = store.tokens.find((other) => other.login === account.login && other.name === name)
  if (token === undefined) return refuse(rules.missingToken(context))
  store.deleteToken(token)
  return responseParts(204)
}

function repositoryParts(call: Call, status: number, repository: Repository): ResponseParts {
  return jsonRecord(call, status, call.rules.repositoryRecord(repository, call.context))
}

function seenRepository(call: Call): Repository {
  const { context, rules } = call
  const caller = callerOf(call)
  const repository = context.deployment.store.repository(
    pathValue(call, 'owner'),
    pathValue(call, 'repo'),
  )
  if (repository === undefined) return refuse(rules.missingRepository(context))
  if (!rules.maySee(repository, caller, context)) refuse(rules.hiddenRepository(context))
  if (rules.publicOnlyHides(repository, caller.scopes ?? [], context)) {
    refuse(rules.hiddenByPublicOnly(context))
  }
  return repository
}

function listRepositories(call: Call): ResponseParts {
  const { context, rules } = call
  const caller = callerOf(call)
  const visible = context.deployment.store
    .repositoriesOf(caller.account.login)
    .filter((repository) => !rules.publicOnlyHides(repository, caller.scopes ?? [], context))
  return listPage(call, visible, (repository) => rules.repositoryRecord(repository, context))
}

async function createRepository(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const { store } = context.deployment
  const { account } = callerOf(call)
  const body = await requestedObject(call)
  const name = requiredText(call, body, 'name')
  if (rules.repositoryNameTaken(store.repository(account.login, name), context)) {
    refuse(rules.repositoryExists(name, context))
  }
  const repository = store.addRepository({
    owner: account.login,
    name,
    private: body.private === true,
    archived: false,
    description: typeof body.description === 'string' ? body.description : '',
  })
  return repositoryParts(call, 201, repository)
}

async function changeRepository(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const repository = seenRepository(call)
  if (repository.owner !== callerOf(call).account.login) {
    refuse(rules.foreignRepository(context))
  }
  if (!rules.mayChange(repository, context)) refuse(rules.archived(context))
  const body = await requestedObject(call)
  if (typeof body.description === 'string') repository.description = body.description
  return repositoryParts(call, 200, repository)
}

const repositories = '/api/v1/user/repos'
const repository = '/api/v1/repos/:owner/:repo'
const tokens = '/api/v1/users/:username/tokens'

/** The endpoints of the code hosting service. */
export const endpoints: readonly EndpointDefinition<Endpoint, RequestContext, Rules>[] = [
  {
    endpoint: 'user',
    method: 'GET',
    path: '/api/v1/user',
    handle: (call) =>
      jsonRecord(call, 200, call.rules.userRecord(callerOf(call).account, call.context)),
  },
  { endpoint: 'create-token', method: 'POST', path: tokens, handle: createToken },
  { endpoint: 'list-tokens', method: 'GET', path: tokens, handle: listTokens },
  { endpoint: 'delete-token', method: 'DELETE', path: `${tokens}/:name`, handle: deleteToken },
  { endpoint: 'user-repositories', method: 'GET', path: repositories, handle: listRepositories },
  { endpoint: 'create-repository', method: 'POST', path: repositories, handle: createRepository },
  {
    endpoint: 'repository',
    method: 'GET',
    path: repository,
    handle: (call) => repositoryParts(call, 200, seenRepository(call)),
  },
  { endpoint: 'change-repository', method: 'PATCH', path: repository, handle: changeRepository },
  {
    endpoint: 'star-repository',
    method: 'PUT',
    path: '/api/v1/user/starred/:owner/:repo',
    handle: (call) => {
      seenRepository(call)
      return responseParts(204)
    },
  },
  {
    endpoint: 'settings',
    method: 'GET',
    path: '/api/v1/settings/api',
    handle: (call) =>
      jsonRecord(
        call,
        200,
        call.rules.settingsRecord(call.context.deployment.settings, call.context),
      ),
  },
  {
    endpoint: 'documentation',
    method: 'GET',
    path: '/api/swagger',
    handle: ({ context, rules }) => rules.documentationPage(context),
  },
]
