import type { GiteaClient } from './gitea-client.ts'
import { accountName, type Role, repositoryCount, roles } from './names.ts'
import { Refusal } from './refusal.ts'
import { isMarked, type Survey, shownName } from './survey.ts'

/** What there is to take away. */
export interface RemovalPlan {
  /** Owner of the repositories. */
  main: string
  accounts: string[]
  /** Names of repositories of the main account. */
  repositories: string[]
  /** What has a name of the prefix or is owned by the main account, and is not provision's. */
  leftAlone: string[]
  /** Why the main account, which provision made, has to stay; absent when it can go. */
  mainStays?: string
}

/** Only what carries the mark of the prefix is taken away. */
export function removalPlan({ prefix, accounts, repositories, foreign }: Survey): RemovalPlan {
  const main = accountName(prefix, 'main')
  const others = repositories.filter((record) => !isMarked(record, prefix))
  const mayGo = (role: Role) => role !== 'main' || others.length === 0
  return {
    main,
    accounts: roles
      .filter((role) => accounts[role] !== undefined && mayGo(role))
      .map((role) => accountName(prefix, role)),
    repositories: repositories.filter((record) => isMarked(record, prefix)).map(({ name }) => name),
    leftAlone: [
      ...foreign,
      ...others.map(({ name }) => `${main}/${shownName(name)} was not made by provision`),
    ],
    ...(others.length === 0
      ? {}
      : { mainStays: `The account ${main} stays, since it owns what provision did not make.` }),
  }
}

/** The accounts that the server keeps, each with its reason as a sentence. */
export type Kept = string[]

/**
 * Takes away what the plan names. Repositories go one by one, and accounts only when they own
 * nothing any more: what somebody else put there is never deleted with them.
 *
 * @throws Refusal, Stopped or TransportError; a repeat goes on from there
 */
export async function remove(
  { main, accounts, repositories, mainStays }: RemovalPlan,
  client: GiteaClient,
  tell: (sentence: string) => void,
): Promise<Kept> {
  for (const name of repositories) await client.deleteRepository(main, name)
  if (repositories.length > 0) tell(`Deleted ${repositoryCount(repositories.length)} of ${main}.`)
  const kept: Kept = mainStays === undefined ? [] : [mainStays]
  for (const username of accounts) {
    try {
      await client.deleteAccount(username)
      tell(`Deleted the account ${username}.`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 422) throw error
      kept.push(`The account ${username} stays: ${error.message}`)
    }
  }
  return kept
}
