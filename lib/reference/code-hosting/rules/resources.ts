import type { Refusal } from '../../http.ts'
import type { Account, Repository, Settings } from '../deployment.ts'
import type { Caller, RequestContext } from '../request-context.ts'

/** Document: Resources and their fields; States and transitions; Errors. */
export interface ResourceRules {
  userRecord(account: Account, context: RequestContext): unknown
  /** For the record alone and, with the endpoint `user-repositories`, in a listing. */
  repositoryRecord(repository: Repository, context: RequestContext): unknown
  settingsRecord(settings: Settings, context: RequestContext): unknown
  maySee(repository: Repository, caller: Caller, context: RequestContext): boolean
  /** Whether the token's `public-only` keeps the repository from its caller. */
  publicOnlyHides(
    repository: Repository,
    scopes: readonly string[],
    context: RequestContext,
  ): boolean
  mayChange(repository: Repository, context: RequestContext): boolean
  repositoryNameTaken(taken: Repository | undefined, context: RequestContext): boolean
  missingRepository(context: RequestContext): Refusal
  hiddenRepository(context: RequestContext): Refusal
  /** The answer to a `public-only` token on a private repository: 403 conforms too. */
  hiddenByPublicOnly(context: RequestContext): Refusal
  /** A change to a repository of somebody else. */
  foreignRepository(context: RequestContext): Refusal
  archived(context: RequestContext): Refusal
  repositoryExists(name: string, context: RequestContext): Refusal
}

const missing: Refusal = { status: 404, message: 'repository does not exist' }

export const resourceRules: ResourceRules = {
  userRecord: (account) => ({
    id: account.id,
    login: account.login,
    is_admin: account.siteAdmin,
  }),
  repositoryRecord: (repository) => ({
    id: repository.id,
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    description: repository.description,
    private: repository.private,
    archived: repository.archived,
  }),
  settingsRecord: (settings) => ({
    max_response_items: settings.maxResponseItems,
    default_paging_num: settings.defaultPagingNum,
    default_git_trees_per_page: settings.defaultGitTreesPerPage,
    default_max_blob_size: settings.defaultMaxBlobSize,
    default_max_response_size: settings.defaultMaxResponseSize,
  }),
  maySee: (repository, caller) =>
    !repository.private || repository.owner === caller.account.login || caller.account.siteAdmin,
  publicOnlyHides: (repository, scopes) => repository.private && scopes.includes('public-only'),
  mayChange: (repository) => !repository.archived,
  repositoryNameTaken: (taken) => taken !== undefined,
  missingRepository: () => missing,
  hiddenRepository: () => missing,
  hiddenByPublicOnly: () => missing,
  foreignRepository: () => ({ status: 403, message: 'only its owner may change a repository' }),
  archived: () => ({ status: 423, message: 'the repository is archived' }),
  repositoryExists: (name) => ({ status: 409, message: `repository ${name} exists already` }),
}
