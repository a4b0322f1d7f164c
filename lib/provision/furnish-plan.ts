import {
  accountName,
  markOf,
  type Role,
  roles,
  type WantedRepository,
  wantedRepositories,
} from './names.ts'
import { Refusal } from './refusal.ts'
import { isMarked, type Survey } from './survey.ts'

/** Items on a page where the server does not tell: what the document names. */
const DOCUMENTED_MAXIMUM = 25

/** More would burden a server more than the statements on pages are worth. */
const MOST_REPOSITORIES = 401

/** What there is to do. */
export interface FurnishPlan {
  prefix: string
  accounts: { role: Role; name: string; there: boolean }[]
  /** Whether an account with two-factor authentication is there whose one-time codes nobody knows. */
  unknownCodes: boolean
  /** All repositories of the main account as they are to be. */
  repositories: WantedRepository[]
  /** Those of them that are not there yet. */
  missing: WantedRepository[]
  /** Those that are there and are private or archived otherwise than they are to be. */
  different: WantedRepository[]
  /** Whether the main account gets more repositories than two full pages hold. */
  fillsPages: boolean
}

/**
 * What is missing for full coverage.
 *
 * @param knowsSecret of the account with two-factor authentication that is there
 * @throws Refusal that names every account and repository in the way
 */
export function furnishPlan(found: Survey, knowsSecret: boolean): FurnishPlan {
  const { prefix, settings, accounts, repositories, foreign } = found
  const full = 2 * (settings?.max_response_items ?? DOCUMENTED_MAXIMUM) + 1
  const wanted = wantedRepositories(prefix, Math.min(full, MOST_REPOSITORIES))
  const there = new Map(repositories.map((record) => [record.name.toLowerCase(), record]))

  const unmarked = wanted.flatMap(({ name }) => {
    const record = there.get(name)
    return record === undefined || isMarked(record, prefix)
      ? []
      : [
          `${accountName(prefix, 'main')}/${name} was not made by provision: it would have the ` +
            `description "${markOf(prefix)}"`,
        ]
  })
  const inTheWay = [...foreign, ...unmarked]
  if (inTheWay.length > 0) {
    throw new Refusal(
      `Nothing was made: ${inTheWay.join('; ')}. Choose another --prefix, or rename what is in the way.`,
    )
  }
  return {
    prefix,
    accounts: roles.map((role) => ({
      role,
      name: accountName(prefix, role),
      there: accounts[role] !== undefined,
    })),
    unknownCodes: accounts.otp !== undefined && !knowsSecret,
    repositories: wanted,
    missing: wanted.filter(({ name }) => !there.has(name)),
    different: wanted.filter((repository) => {
      const record = there.get(repository.name)
      return (
        record !== undefined &&
        (record.private !== repository.private || record.archived !== repository.archived)
      )
    }),
    fillsPages: full <= MOST_REPOSITORIES,
  }
}
