import type { FurnishPlan } from './furnish-plan.ts'
import type { GiteaClient } from './gitea-client.ts'
import { accountName, markOf, repositoryCount, type WantedRepository } from './names.ts'
import type { RepositoryRecord } from './records.ts'
import { Refusal } from './refusal.ts'

/** @throws Refusal where the server made or left it otherwise */
function assureMade({ name, ...record }: RepositoryRecord, wanted: WantedRepository): void {
  for (const property of ['private', 'archived'] as const) {
    if (record[property] !== wanted[property]) {
      throw new Refusal(
        `The server has the repository ${wanted.name} with ${property}: ${record[property]}, although it ` +
          `was asked for ${wanted[property]}. Does its configuration (such as FORCE_PRIVATE) say so?`,
      )
    }
  }
}

/**
 * Makes the repositories of the main account that are missing, and puts the others right.
 *
 * @throws Refusal, Stopped or TransportError; what was made until then stays
 */
export async function furnishRepositories(
  { prefix, missing, different }: FurnishPlan,
  client: GiteaClient,
  tell: (sentence: string) => void,
): Promise<void> {
  const owner = accountName(prefix, 'main')
  const description = markOf(prefix)
  for (const wanted of missing) {
    const { name, private: hidden, archived } = wanted
    const made = await client.createRepository(owner, { name, description, private: hidden })
    // The family archives a repository only once it is there.
    const record = archived ? await client.changeRepository(owner, name, { archived }) : made
    assureMade(record, wanted)
  }
  for (const wanted of different) {
    const { name, private: hidden, archived } = wanted
    assureMade(await client.changeRepository(owner, name, { private: hidden, archived }), wanted)
  }
  if (missing.length > 0) tell(`Made ${repositoryCount(missing.length)}.`)
  if (different.length > 0) tell(`Put ${repositoryCount(different.length)} right.`)
}
