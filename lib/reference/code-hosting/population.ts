import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Settings } from './settings.ts'
import { Store } from './store.ts'

/** How many repositories each account owns. */
export interface Population {
  readonly mainRepositories: number
  readonly otherRepositories: number
  readonly adminRepositories: number
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
