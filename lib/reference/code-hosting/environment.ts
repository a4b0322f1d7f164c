import type { Deployment } from './deployment.ts'
import { logins } from './population.ts'
import { settingsEnvironment } from './settings.ts'

const deletePath = '/api/v1/users/{username}/tokens/{name}'

function accountVariables(deployment: Deployment): Record<string, string> {
  const environment: Record<string, string> = {}
  const prefixes = [
    [logins.main, 'CODE_HOSTING_'],
    [logins.other, 'CODE_HOSTING_OTHER_'],
    [logins.twoFactor, 'CODE_HOSTING_OTP_'],
    [logins.siteAdmin, 'CODE_HOSTING_ADMIN_'],
  ] as const
  for (const [login, prefix] of prefixes) {
    const account = deployment.store.account(login)
    if (account === undefined) continue
    environment[`${prefix}USERNAME`] = account.login
    environment[`${prefix}PASSWORD`] = account.password
    if (account.oneTimeSecret !== undefined) environment[`${prefix}SECRET`] = account.oneTimeSecret
  }
  return environment
}

function repositoryVariables(deployment: Deployment): Record<string, string> {
  const environment: Record<string, string> = {}
  const owned = deployment.store.repositoriesOf(logins.main)
  const open = owned.find((repository) => !repository.private && !repository.archived)
  const hidden = owned.find((repository) => repository.private)
  const archived = owned.find((repository) => repository.archived)
  if (open !== undefined) {
    const fullName = `${open.owner}/${open.name}`
    environment.CODE_HOSTING_PUBLIC_REPOSITORY = fullName
    environment.CODE_HOSTING_CONFLICT = `POST /api/v1/user/repos ${JSON.stringify({ name: open.name })}`
    environment.CODE_HOSTING_NO_CONTENT = `PUT /api/v1/user/starred/${fullName}`
  }
  if (hidden !== undefined) {
    environment.CODE_HOSTING_PRIVATE_REPOSITORY = `${hidden.owner}/${hidden.name}`
  }
  if (archived !== undefined) {
    const body = JSON.stringify({ description: 'Changed although archived' })
    environment.CODE_HOSTING_ARCHIVED_CHANGE = `PATCH /api/v1/repos/${archived.owner}/${archived.name} ${body}`
  }
  return environment
}

/** The `CODE_HOSTING_*` variables with which everything that the deployment offers can be judged. */
export function codeHostingEnvironment(deployment: Deployment): Record<string, string> {
  return {
    CODE_HOSTING_BASE_URL: deployment.baseUrl,
    ...accountVariables(deployment),
    ...repositoryVariables(deployment),
    ...settingsEnvironment(deployment.settings),
    CODE_HOSTING_TOKEN_DELETE_PATH: deletePath,
  }
}
