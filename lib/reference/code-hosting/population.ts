import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Environment } from '../service.ts'
import {
  type Account,
  type Deployment,
  defaultSettings,
  type Repository,
  type Settings,
  Store,
} from './deployment.ts'

/** How many repositories each account owns: more than two pages of the main account's at any size. */
export function defaultPopulation({ maxResponseItems }: Settings) {
  const mainRepositories = 2 * maxResponseItems + 7
  return { mainRepositories, otherRepositories: 3, adminRepositories: 2 }
}

type Population = Readonly<ReturnType<typeof defaultPopulation>>

export interface Configuration {
  readonly settings?: Partial<Settings>
  readonly population?: Partial<Population>
}

export const logins = { main: 'maria', other: 'oscar', twoFactor: 'tess', siteAdmin: 'ada' }

const publicName = 'lighthouse'
const privateName = 'diary'
const archivedName = 'attic'

const numbered = (count: number, nameOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => nameOf(index))

/**
 * The names of an account's repositories. With two or more there is a private one in the middle,
 * with three or more an archived one behind it: both on inner pages where there are several.
 */
function repositoryNames(count: number): string[] {
  const names = numbered(count, (index) =>
    index === 0 ? publicName : `chart-${String(index).padStart(3, '0')}`,
  )
  if (count >= 2) names[Math.floor(count / 2)] = privateName
  if (count >= 3) names[Math.floor((2 * count) / 3)] = archivedName
  return names
}

/** A service with four accounts and their repositories; passwords and secrets are new each time. */
export function populate(population: Population): Store {
  const { mainRepositories, otherRepositories, adminRepositories } = population
  const store = new Store()
  for (const login of Object.values(logins)) {
    const password = randomBytes(18).toString('base64url')
    const oneTimeSecret = login === logins.twoFactor ? new Secret({ size: 20 }).base32 : undefined
    store.addAccount({ login, password, siteAdmin: login === logins.siteAdmin, oneTimeSecret })
  }
  const owned: readonly (readonly [owner: string, names: readonly string[]])[] = [
    [logins.main, repositoryNames(mainRepositories)],
    [logins.other, numbered(otherRepositories, (index) => `compass-${index + 1}`)],
    [logins.siteAdmin, numbered(adminRepositories, (index) => `engine-${index + 1}`)],
  ]
  for (const [owner, names] of owned) {
    for (const name of names) {
      const description = `What ${owner} keeps in ${name}`
      const state = { private: name === privateName, archived: name === archivedName }
      store.addRepository({ owner, name, description, ...state })
    }
  }
  return store
}

function settingsEnvironment(settings: Settings): Environment {
  const changed = Object.entries(settings).filter(
    ([key, value]) => value !== defaultSettings[key as keyof Settings],
  )
  const variable = (key: string) => `CODE_HOSTING_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`
  return Object.fromEntries(changed.map(([key, value]) => [variable(key), String(value)]))
}

const prefixes: Readonly<Record<string, string>> = {
  [logins.main]: 'CODE_HOSTING_',
  [logins.other]: 'CODE_HOSTING_OTHER_',
  [logins.twoFactor]: 'CODE_HOSTING_OTP_',
  [logins.siteAdmin]: 'CODE_HOSTING_ADMIN_',
}

function accountVariables({ login, password, oneTimeSecret }: Account): Environment {
  const prefix = prefixes[login]
  return {
    [`${prefix}USERNAME`]: login,
    [`${prefix}PASSWORD`]: password,
    ...(oneTimeSecret && { [`${prefix}SECRET`]: oneTimeSecret }),
  }
}

function repositoryVariables({ store }: Deployment): Environment {
  const owned = store.repositoriesOf(logins.main)
  const open = owned.find((repository) => !repository.private && !repository.archived)
  const hidden = owned.find((repository) => repository.private)
  const archived = owned.find((repository) => repository.archived)
  const fullName = ({ owner, name }: Repository) => `${owner}/${name}`
  const change = '{"description":"Changed although archived"}'
  return {
    ...(open && {
      CODE_HOSTING_PUBLIC_REPOSITORY: fullName(open),
      CODE_HOSTING_CONFLICT: `POST /api/v1/user/repos ${JSON.stringify({ name: open.name })}`,
      CODE_HOSTING_NO_CONTENT: `PUT /api/v1/user/starred/${fullName(open)}`,
    }),
    ...(hidden && { CODE_HOSTING_PRIVATE_REPOSITORY: fullName(hidden) }),
    ...(archived && {
      CODE_HOSTING_ARCHIVED_CHANGE: `PATCH /api/v1/repos/${fullName(archived)} ${change}`,
    }),
  }
}

/** The `CODE_HOSTING_*` variables with which everything that the deployment offers can be judged. */
export function environmentOf(deployment: Deployment): Environment {
  return {
    CODE_HOSTING_BASE_URL: deployment.baseUrl,
    ...Object.assign({}, ...deployment.store.accounts.map(accountVariables)),
    ...repositoryVariables(deployment),
    ...settingsEnvironment(deployment.settings),
    CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
  }
}
