import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Environment } from '../service.ts'
import { type Deployment, defaultSettings, type Settings, Store } from './deployment.ts'

/** How many repositories each account owns. */
export interface Population {
  readonly mainRepositories: number
  readonly otherRepositories: number
  readonly adminRepositories: number
}

/** In what a service can differ beside its rules. */
export interface Configuration {
  readonly settings?: Partial<Settings>
  readonly population?: Partial<Population>
}

/** Enough repositories for three pages and more of the main account's at every page size. */
export function defaultPopulation(settings: Settings): Population {
  return {
    mainRepositories: 2 * settings.maxResponseItems + 7,
    otherRepositories: 3,
    adminRepositories: 2,
  }
}

export const logins = {
  main: 'maria',
  other: 'oscar',
  twoFactor: 'tess',
  siteAdmin: 'ada',
} as const

const publicName = 'lighthouse'
const privateName = 'diary'
const archivedName = 'attic'

function newPassword(): string {
  return randomBytes(18).toString('base64url')
}

/**
 * The names of an account's repositories. With two or more there is a private one in the middle,
 * with three or more an archived one behind it: both on inner pages where there are several.
 */
function repositoryNames(count: number): string[] {
  const names = Array.from({ length: count }, (_, index) =>
    index === 0 ? publicName : `chart-${String(index).padStart(3, '0')}`,
  )
  if (count >= 2) names[Math.floor(count / 2)] = privateName
  if (count >= 3) names[Math.floor((2 * count) / 3)] = archivedName
  return names
}

/** A service with four accounts and their repositories; passwords and secrets are new each time. */
export function populate(population: Population): Store {
  const store = new Store()
  store.addAccount({ login: logins.main, password: newPassword(), siteAdmin: false })
  store.addAccount({ login: logins.other, password: newPassword(), siteAdmin: false })
  store.addAccount({
    login: logins.twoFactor,
    password: newPassword(),
    siteAdmin: false,
    oneTimeSecret: new Secret({ size: 20 }).base32,
  })
  store.addAccount({ login: logins.siteAdmin, password: newPassword(), siteAdmin: true })
  const addRepositories = (owner: string, names: readonly string[]): void => {
    for (const name of names) {
      store.addRepository({
        owner,
        name,
        private: name === privateName,
        archived: name === archivedName,
        description: `What ${owner} keeps in ${name}`,
      })
    }
  }
  addRepositories(logins.main, repositoryNames(population.mainRepositories))
  const numbered = (count: number, stem: string): string[] =>
    Array.from({ length: count }, (_, index) => `${stem}-${index + 1}`)
  addRepositories(logins.other, numbered(population.otherRepositories, 'compass'))
  addRepositories(logins.siteAdmin, numbered(population.adminRepositories, 'engine'))
  return store
}

/** The environment variables of the settings that differ from the documented defaults. */
function settingsEnvironment(settings: Settings): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [key, value] of Object.entries(settings)) {
    const name = `CODE_HOSTING_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`
    if (value !== defaultSettings[key as keyof Settings]) environment[name] = String(value)
  }
  return environment
}

const deletePath = '/api/v1/users/{username}/tokens/{name}'

function accountVariables(deployment: Deployment): Environment {
  const environment: Environment = {}
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

function repositoryVariables(deployment: Deployment): Environment {
  const environment: Environment = {}
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
export function environmentOf(deployment: Deployment): Environment {
  return {
    CODE_HOSTING_BASE_URL: deployment.baseUrl,
    ...accountVariables(deployment),
    ...repositoryVariables(deployment),
    ...settingsEnvironment(deployment.settings),
    CODE_HOSTING_TOKEN_DELETE_PATH: deletePath,
  }
}
