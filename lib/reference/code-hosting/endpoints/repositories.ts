import { refuse } from '../../http/refusal.ts'
import { jsonParts, noContentParts, type ResponseParts } from '../../http/response-parts.ts'
import {
  type Call,
  callerOf,
  type EndpointDefinition,
  jsonObject,
  pathValue,
  requiredText,
} from '../call.ts'
import { listPage } from '../paginate.ts'
import type { Repository } from '../store.ts'

function repositoryParts(call: Call, status: number, repository: Repository): ResponseParts {
  const { context, rules } = call
  const record = rules.repositoryRecord(repository, context)
  return jsonParts(status, record, rules.contentType(status, context))
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

function readRepository(call: Call): ResponseParts {
  return repositoryParts(call, 200, seenRepository(call))
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
  const body = await jsonObject(call)
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
  const body = await jsonObject(call)
  if (typeof body.description === 'string') repository.description = body.description
  return repositoryParts(call, 200, repository)
}

function starRepository(call: Call): ResponseParts {
  seenRepository(call)
  return noContentParts()
}

const record = '/api/v1/repos/:owner/:repo'

export const repositoryEndpoints: readonly EndpointDefinition[] = [
  {
    endpoint: 'user-repositories',
    method: 'GET',
    path: '/api/v1/user/repos',
    handle: listRepositories,
  },
  {
    endpoint: 'create-repository',
    method: 'POST',
    path: '/api/v1/user/repos',
    handle: createRepository,
  },
  { endpoint: 'repository', method: 'GET', path: record, handle: readRepository },
  { endpoint: 'change-repository', method: 'PATCH', path: record, handle: changeRepository },
  {
    endpoint: 'star-repository',
    method: 'PUT',
    path: '/api/v1/user/starred/:owner/:repo',
    handle: starRepository,
  },
]
