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

/** In what a service can differ beside its rules. */
export interface Configuration {
  readonly settings?: Partial<Settings>
  readonly population?: Partial<Population>
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
  for (const login of Object.values(logins)) {
    const password = randomBytes(18).toString('base64url')
    const siteAdmin = login === logins.siteAdmin
    const twoFactor = login === logins.twoFactor
    const oneTimeSecret = twoFactor ? new Secret({ size: 20 }).base32 : undefined
    store.addAccount({ login, password, siteAdmin, oneTimeSecret })
  }
  const numbered = (count: number, stem: string): string[] =>
    Array.from({ length: count }, (_, index) => `${stem}-${index + 1}`)
  const names: readonly (readonly [owner: string, names: readonly string[]])[] = [
    [logins.main, repositoryNames(population.mainRepositories)],
    [logins.other, numbered(population.otherRepositories, 'compass')],
    [logins.siteAdmin, numbered(population.adminRepositories, 'engine')],
  ]
  for (const [owner, owned] of names) {
    for (const name of owned) {
      store.addRepository({
        owner,
        name,
        private: name === privateName,
        archived: name === archivedName,
        description: `What ${owner} keeps in ${name}`,
      })
    }
  }
  return store
}

/** The environment variables of the settings that differ from the documented defaults. */
function settingsEnvironment(settings: Settings): Environment {
  const changed = Object.entries(settings).filter(
    ([key, value]) => value !== defaultSettings[key as keyof Settings],
  )
  return Object.fromEntries(
    changed.map(([key, value]) => [
      `CODE_HOSTING_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
      String(value),
    ]),
  )
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
    ...(oneTimeSecret === undefined ? {} : { [`${prefix}SECRET`]: oneTimeSecret }),
  }
}

function repositoryVariables({ store }: Deployment): Environment {
  const owned = store.repositoriesOf(logins.main)
  const open = owned.find((repository) => !repository.private && !repository.archived)
  const hidden = owned.find((repository) => repository.private)
  const archived = owned.find((repository) => repository.archived)
  const fullName = ({ owner, name }: Repository) => `${owner}/${name}`
  const change = JSON.stringify({ description: 'Changed although archived' })
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
  const { baseUrl, settings, store } = deployment
  return {
    CODE_HOSTING_BASE_URL: baseUrl,
    ...Object.assign({}, ...store.accounts.map(accountVariables)),
    ...repositoryVariables(deployment),
    ...settingsEnvironment(settings),
    CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
  }
}
