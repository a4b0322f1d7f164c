import {
  type Endpoints,
  fail,
  type Handler,
  type HttpError,
  jsonObject,
  jsonParts,
  type ResponseParts,
  responseParts,
  runHandler,
} from '../http.ts'
import { authenticate, authorize, callerOf, checkOneTimeCode } from './authenticate.ts'
import type { Call } from './changes.ts'
import type { AccessToken, Account, DocumentedEndpoint, Paging, Repository } from './server.ts'

function requestedObject(call: Call): Promise<Readonly<Record<string, unknown>>> {
  if (call.headers.get('Content-Type') !== 'application/json') {
    throw call.rules.malformedBody('the content type is not application/json', call)
  }
  return jsonObject(call, (text) => call.rules.parsedBody(text, call))
}

/** @throws HttpError if the field is not a non-empty string */
function requiredText(call: Call, field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  const reason = value === '' ? 'must not be empty' : 'a value is required'
  throw call.rules.invalidField(field, reason, call)
}

export function jsonRecord(call: Call, status: number, record: unknown): ResponseParts {
  return jsonParts(status, record, call.rules.contentType(status, call))
}

function setFields(
  { headers }: ResponseParts,
  fields: Readonly<Record<string, string | undefined>>,
) {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers.set(name, value)
  }
}

function linkField(call: Call, paging: Paging): string | undefined {
  const { rules } = call
  if (!rules.linkNeeded(paging, call)) return undefined
  const address = rules.publicAddress(call)
  const entries = rules.linkRelations(paging, call).map(({ relation, page }) => ({
    relation,
    target: rules.linkTarget(page, paging, address, call),
  }))
  return entries.length === 0 ? undefined : rules.formatLink(entries, call)
}

function listPage<Item>(
  call: Call,
  items: readonly Item[],
  record: (item: Item) => unknown,
): ResponseParts {
  const { rules, server, url } = call
  const limit = rules.effectiveLimit(url.searchParams.get('limit'), server.settings, call)
  const page = rules.effectivePage(url.searchParams.get('page'), call)
  const total = items.length
  const paging = { page, limit, total, lastPage: rules.lastPage(total, limit, call) }
  call.paging = paging
  const shownItems = rules.pageItems(items, paging, call) as readonly Item[]
  const parts = jsonRecord(call, 200, shownItems.map(record))
  setFields(parts, {
    'X-Total-Count': rules.totalCount(paging, shownItems.length, call),
    'X-Page': rules.currentPage(paging, call),
    'X-PerPage': rules.perPage(paging, call),
    'X-HasMore': rules.hasMore(paging, shownItems.length, call),
    Link: linkField(call, paging),
    'Access-Control-Expose-Headers': rules.exposedHeaders(call).join(', '),
  })
  return parts
}

function managedAccount(call: Call): Account {
  const { rules, server, parameters } = call
  const caller = callerOf(call)
  if (!rules.managesTokens(call)) throw rules.passwordRequired(call)
  checkOneTimeCode(call)
  const { username = '' } = parameters
  const account = server.store.account(username)
  if (!account) throw rules.missingAccount(username, call)
  if (!rules.managesTokensOf(account, caller, call)) throw rules.foreignTokens(call)
  return account
}

function requestedScopes(call: Call, account: Account, value: unknown): readonly string[] {
  const { rules } = call
  if (!Array.isArray(value) || !value.every((scope) => typeof scope === 'string')) {
    const reason = Array.isArray(value)
      ? 'an item is not a text'
      : 'an array of strings is required'
    throw rules.invalidField('scopes', reason, call)
  }
  for (const scope of value) {
    if (!rules.scopeKnown(scope, call)) throw rules.unknownScope(scope, call)
    if (!rules.canGrant(scope, account, call)) throw rules.scopeNotGrantable(scope, call)
  }
  const error = rules.scopesError(value, call)
  if (error) throw error
  return [...new Set(value)]
}

async function createToken(call: Call): Promise<ResponseParts> {
  const { rules } = call
  const { store } = call.server
  const account = managedAccount(call)
  const body = await requestedObject(call)
  const name = requiredText(call, 'name', body.name)
  const scopes = requestedScopes(call, account, body.scopes)
  if (await rules.tokenNameTaken(store.tokens, account, name, scopes, call)) {
    throw rules.duplicateTokenName(name, call)
  }
  const token = store.addToken({ login: account.login, name, scopes })
  const record = rules.tokenRecord(token, rules.lastEight(token.value, call), call)
  return jsonRecord(call, rules.createdTokenStatus(call), record)
}

function listTokens(call: Call): ResponseParts {
  const { rules, server } = call
  const tokens = server.store.tokensOf(managedAccount(call).login)
  const record = (token: AccessToken) =>
    rules.listedTokenRecord(token, rules.lastEight(token.value, call), call)
  return listPage(call, tokens, record)
}

function deleteToken(call: Call): ResponseParts {
  const { store } = call.server
  const tokens = store.tokensOf(managedAccount(call).login)
  const token = tokens.find(({ name }) => name === call.parameters.name)
  if (!token) throw call.rules.missingToken(call)
  store.tokens.splice(store.tokens.indexOf(token), 1)
  return responseParts(204)
}

function repositoryParts(call: Call, status: number, repository: Repository): ResponseParts {
  return jsonRecord(call, status, call.rules.repositoryRecord(repository, call))
}

export function seenRepository(call: Call): Repository {
  const { rules, server, parameters } = call
  const caller = callerOf(call)
  const repository = server.store.repository(parameters.owner ?? '', parameters.repo ?? '')
  if (!repository) throw rules.missingRepository(call)
  if (!rules.maySee(repository, caller, call)) throw rules.hiddenRepository(call)
  if (rules.publicOnlyHides(repository, caller.scopes ?? [], call)) {
    throw rules.hiddenByPublicOnly(call)
  }
  return repository
}

function listRepositories(call: Call): ResponseParts {
  const { rules, server } = call
  const { account, scopes = [] } = callerOf(call)
  const owned = server.store.repositoriesOf(account.login)
  const visible = owned.filter((one) => !rules.publicOnlyHides(one, scopes, call))
  return listPage(call, visible, (repository) => rules.repositoryRecord(repository, call))
}

async function createRepository(call: Call): Promise<ResponseParts> {
  const { rules } = call
  const { store } = call.server
  const owner = callerOf(call).account.login
  const body = await requestedObject(call)
  const name = requiredText(call, 'name', body.name)
  if (store.repository(owner, name)) throw rules.repositoryExists(name, call)
  return repositoryParts(call, 201, store.addRepository({ owner, name, description: '' }))
}

/** Returns success for an allowed change and changes nothing: no document states what can be changed. */
function changeRepository(call: Call): ResponseParts {
  const { rules } = call
  const repository = seenRepository(call)
  if (repository.owner !== callerOf(call).account.login) throw rules.foreignRepository(call)
  if (!rules.canChange(repository, call)) throw rules.archived(call)
  return repositoryParts(call, 200, repository)
}

function starRepository(call: Call): ResponseParts {
  seenRepository(call)
  return responseParts(204)
}

const repositories = '/api/v1/user/repos'
const repository = '/api/v1/repos/:owner/:repo'
const tokens = '/api/v1/users/:username/tokens'

export const endpoints: Endpoints<DocumentedEndpoint, Call> = {
  user: [
    'GET /api/v1/user',
    (call) => jsonRecord(call, 200, call.rules.userRecord(callerOf(call).account, call)),
  ],
  'create-token': [`POST ${tokens}`, createToken],
  'list-tokens': [`GET ${tokens}`, listTokens],
  'delete-token': [`DELETE ${tokens}/:name`, deleteToken],
  'user-repositories': [`GET ${repositories}`, listRepositories],
  'create-repository': [`POST ${repositories}`, createRepository],
  repository: [`GET ${repository}`, (call) => repositoryParts(call, 200, seenRepository(call))],
  'change-repository': [`PATCH ${repository}`, changeRepository],
  'star-repository': ['PUT /api/v1/user/starred/:owner/:repo', starRepository],
  settings: [
    'GET /api/v1/settings/api',
    (call) => jsonRecord(call, 200, call.rules.settingsRecord(call.server.settings, call)),
  ],
  documentation: ['GET /api/swagger', (call) => call.rules.documentationPage(call)],
  unknown: ['*', (call) => fail(call.rules.missingEndpoint(call))],
}

function errorParts(call: Call, error: HttpError): ResponseParts {
  const { rules } = call
  const link = rules.documentationLink(rules.publicAddress(call), call)
  const parts = jsonRecord(call, error.status, rules.errorBody(error, link, call))
  if (error.status === 401) setFields(parts, { 'WWW-Authenticate': rules.challenge(call) })
  return parts
}

function schemeHeaders(call: Call): Readonly<Record<string, string>> {
  const { caller, credentials, rules } = call
  if (caller && credentials?.scheme === 'legacy') return rules.legacyHeaders(call)
  if (caller && credentials?.scheme === 'bearer') return rules.bearerHeaders(call)
  return {}
}

export async function respond(call: Call, handle: Handler<Call>): Promise<ResponseParts> {
  const authenticated: Handler<Call> = () => {
    const early = call.rules.begin(call)
    if (early) return early
    authenticate(call)
    authorize(call)
    return handle(call)
  }
  const parts = await runHandler(call, authenticated, (error) => errorParts(call, error))
  setFields(parts, schemeHeaders(call))
  return call.rules.finish(parts, call)
}
