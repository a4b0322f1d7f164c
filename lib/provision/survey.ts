import { printableSentence, shortened } from '../reports/printable.ts'
import type { GiteaClient } from './gitea-client.ts'
import { accountName, emailOf, markOf, type Role, roles } from './names.ts'
import type { AccountRecord, RepositoryRecord, SettingsRecord } from './records.ts'
import { Refusal } from './refusal.ts'

const LONGEST_NAME = 60

/** What is on the server under the names of a prefix. */
export interface Survey {
  /** Login name of the administrator. */
  admin: string
  prefix: string
  settings: SettingsRecord | undefined
  /** The accounts that provision made. */
  accounts: Partial<Record<Role, AccountRecord>>
  /** Of the main account, when provision made it; those that somebody else made there too. */
  repositories: RepositoryRecord[]
  /** Accounts that have a name of this prefix and are not provision's, each as a sentence. */
  foreign: string[]
}

/** A name that the server gave, as a person may be shown it. */
export function shownName(name: string): string {
  return shortened(printableSentence(name), LONGEST_NAME)
}

function reasonToLeave(
  { login, full_name, email, is_admin }: AccountRecord,
  prefix: string,
): string | undefined {
  if (is_admin) return `${shownName(login)} is a site administrator, which provision leaves alone`
  if (full_name === markOf(prefix) && email.toLowerCase() === emailOf(login.toLowerCase())) {
    return undefined
  }
  return (
    `${shownName(login)} was not made by provision: it would have the full name ` +
    `"${markOf(prefix)}" and the address ${emailOf(login.toLowerCase())}`
  )
}

/** Whether provision made a repository of one of its accounts. */
export function isMarked({ name, description }: RepositoryRecord, prefix: string): boolean {
  return name.startsWith(prefix) && description === markOf(prefix)
}

/**
 * Looks, with GETs alone.
 *
 * @throws Refusal when the account is no administrator, or the server none of the family
 */
export async function survey(client: GiteaClient, prefix: string): Promise<Survey> {
  const self = await client.self()
  if (!self.is_admin) {
    throw new Refusal(
      `${shownName(self.login)} is no site administrator: set CODE_HOSTING_ADMIN_USERNAME and ` +
        'CODE_HOSTING_ADMIN_PASSWORD to those of one. Nothing was changed.',
    )
  }
  const accounts: Survey['accounts'] = {}
  const foreign: string[] = []
  for (const role of roles) {
    const account = await client.account(accountName(prefix, role))
    if (account === undefined) continue
    const reason = reasonToLeave(account, prefix)
    if (reason === undefined) accounts[role] = account
    else foreign.push(reason)
  }
  return {
    admin: shownName(self.login),
    prefix,
    settings: await client.settings(),
    accounts,
    repositories: accounts.main === undefined ? [] : await client.repositories(accounts.main.login),
    foreign,
  }
}
