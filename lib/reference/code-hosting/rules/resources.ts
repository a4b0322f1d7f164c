import type { Refusal } from '../../endpoints.ts'
import type { Account, Caller, Repository, Settings } from '../deployment.ts'

const missing: Refusal = { status: 404, message: 'repository does not exist' }

/** Document: Resources and their fields; States and transitions; Errors. */
export const resourceRules = {
  userRecord: ({ id, login, siteAdmin }: Account): object => ({ id, login, is_admin: siteAdmin }),
  /** For the record alone and, with the endpoint `user-repositories`, in a listing. */
  repositoryRecord: (repository: Repository): object => ({
    id: repository.id,
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    description: repository.description,
    private: repository.private,
    archived: repository.archived,
  }),
  settingsRecord: (settings: Settings): unknown => ({
    max_response_items: settings.maxResponseItems,
    default_paging_num: settings.defaultPagingNum,
    default_git_trees_per_page: settings.defaultGitTreesPerPage,
    default_max_blob_size: settings.defaultMaxBlobSize,
    default_max_response_size: settings.defaultMaxResponseSize,
  }),
  maySee: (repository: Repository, { account }: Caller) =>
    !repository.private || repository.owner === account.login || account.siteAdmin,
  /** Whether the token's `public-only` keeps the repository from its caller. */
  publicOnlyHides: (repository: Repository, scopes: readonly string[]) =>
    repository.private && scopes.includes('public-only'),
  mayChange: (repository: Repository) => !repository.archived,
  repositoryNameTaken: (taken: Repository | undefined) => taken !== undefined,
  missingRepository: () => missing,
  hiddenRepository: () => missing,
  /** The answer to a `public-only` token on a private repository: 403 conforms too. */
  hiddenByPublicOnly: () => missing,
  /** A change to a repository of somebody else. */
  foreignRepository: (): Refusal => ({
    status: 403,
    message: 'only its owner may change a repository',
  }),
  archived: (): Refusal => ({ status: 423, message: 'the repository is archived' }),
  repositoryExists: (name: string): Refusal => ({
    status: 409,
    message: `repository ${name} exists already`,
  }),
}
