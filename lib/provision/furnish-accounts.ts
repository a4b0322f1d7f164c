import type { Account } from '../target/target.ts'
import type { GiteaClient } from './gitea-client.ts'
import { accountName, emailOf, markOf, type Role } from './names.ts'
import { newPassword } from './password.ts'
import type { AccountRecord } from './records.ts'
import type { Requests } from './requests.ts'
import type { Survey } from './survey.ts'
import { codeFieldOf, type Enrolment, enrol, usesTwoFactor } from './two-factor.ts'

const passwordVariables: Record<Role, string> = {
  main: 'CODE_HOSTING_PASSWORD',
  other: 'CODE_HOSTING_OTHER_PASSWORD',
  otp: 'CODE_HOSTING_OTP_PASSWORD',
}

/** What is needed to make accounts. */
export interface FurnishOptions {
  client: GiteaClient
  requests: Requests
  /** Told of every step that has been done. */
  tell: (sentence: string) => void
  /** The secret that the account with two-factor authentication had before, where it is known. */
  knownSecret: string | undefined
}

/** Makes the accounts of a prefix, or gives them new passwords, since nobody can read the old ones. */
export interface AccountFurnisher {
  /** Makes the account unless it is there; one that is there keeps its password. */
  assure(role: Role): Promise<void>
  /** The account with a password that is known: that with which it was made, or a new one. */
  account(role: Role): Promise<Account>
  /** The account with two-factor authentication; it is made anew where nobody knows its secret. */
  otp(): Promise<Account & { enrolment: Enrolment }>
}

export function createAccountFurnisher(
  { prefix, accounts: found }: Pick<Survey, 'prefix' | 'accounts'>,
  { client, requests, tell, knownSecret }: FurnishOptions,
): AccountFurnisher {
  const made = new Map<Role, Account>()

  function withPassword(role: Role, username: string): Account {
    const password = newPassword()
    requests.redactor.addBasic(username, passwordVariables[role], password)
    return { username, password }
  }

  async function create(role: Role): Promise<Account> {
    const account = withPassword(role, accountName(prefix, role))
    const { username } = account
    await client.createAccount({ ...account, fullName: markOf(prefix), email: emailOf(username) })
    tell(`Made the account ${username}.`)
    made.set(role, account)
    return account
  }

  async function renew(role: Role, record: AccountRecord): Promise<Account> {
    const account = withPassword(role, accountName(prefix, role))
    await client.resetAccount(record, account.password)
    tell(`Set a new password of the account ${account.username}.`)
    return account
  }

  async function enrolled(account: Account): Promise<Account & { enrolment: Enrolment }> {
    const enrolment = await enrol(requests, account)
    if ('secret' in enrolment) {
      tell(`Turned two-factor authentication of ${account.username} on.`)
    }
    return { ...account, enrolment }
  }

  return {
    async assure(role) {
      if (found[role] === undefined) await create(role)
    },

    async account(role) {
      const record = found[role]
      return made.get(role) ?? (record === undefined ? create(role) : renew(role, record))
    },

    async otp() {
      const record = found.otp
      if (record === undefined) return enrolled(await create('otp'))
      const renewed = await renew('otp', record)
      if (!(await usesTwoFactor(requests, renewed))) return enrolled(renewed)
      if (knownSecret !== undefined) {
        const field = await codeFieldOf(requests, renewed, knownSecret)
        if (field !== undefined) return { ...renewed, enrolment: { secret: knownSecret, field } }
      }
      // Nobody can turn it off without a code, and the account owns nothing.
      await client.deleteAccount(renewed.username)
      tell(`Deleted the account ${renewed.username}, whose one-time codes nobody knows any more.`)
      return enrolled(await create('otp'))
    },
  }
}
