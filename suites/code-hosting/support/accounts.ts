import { randomBytes } from 'node:crypto'
import { displayValue } from '../../../lib/conformance/exchange-words.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { CodeHostingClient } from '../client.ts'
import { type CodeHostingNeed, needed } from '../needs.ts'
import type { Account, CodeHostingTarget } from '../variables.ts'

/** An account of the target and its credentials for basic authentication. */
export interface KnownAccount {
  username: string
  credentials: Credentials
}

/** The accounts of the target. What is not configured is skipped by the variable's name. */
export interface Accounts {
  /** The main account's login name; throws `Skip` when it is not configured. */
  username(): string
  /** The main account with its password, not yet tried. */
  main(): KnownAccount
  /** The main account's login name with a password that is not its own. */
  mainWithWrongPassword(): Credentials
  /** The account that cannot see the private repository; tried before it is handed out. */
  other(): Promise<KnownAccount>
  /** The site admin; tried before it is handed out. */
  admin(): Promise<KnownAccount>
  /** Those of these two that can be had. */
  others(): Promise<KnownAccount[]>
  /** The account with two-factor authentication, not yet tried. */
  twoFactor(): KnownAccount & { secret: string }
  twoFactorWithWrongPassword(): Credentials
}

export function createAccounts(
  { redactor }: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
): Accounts {
  const wrongPassword = randomBytes(20).toString('hex')

  function known({ username, password }: Account, variable: string): KnownAccount {
    redactor.addBasic(username, `${variable}_PASSWORD`, password)
    return { username, credentials: basic(username, password) }
  }

  function tried(
    account: Account | undefined,
    variable: string,
    need: CodeHostingNeed,
  ): () => Promise<KnownAccount> {
    return fixture(variable.toLowerCase(), async () => {
      if (account === undefined) return needed(need)
      const candidate = known(account, variable)
      const { status } = await client.user({ credentials: candidate.credentials })
      if (status === 401) {
        inconclusive(
          `the account ${account.username} was refused with 401: ` +
            `check ${variable}_USERNAME and ${variable}_PASSWORD`,
        )
      }
      return candidate
    })
  }

  const other = tried(target.other, 'CODE_HOSTING_OTHER', 'other account')
  const admin = tried(target.admin, 'CODE_HOSTING_ADMIN', 'site admin')

  const username = () => target.username ?? needed('login name')

  return {
    username,
    main() {
      const { username, password } = target
      if (username === undefined || password === undefined) return needed('password')
      return known({ username, password }, 'CODE_HOSTING')
    },
    mainWithWrongPassword() {
      return basic(username(), wrongPassword)
    },
    other,
    admin,
    async others() {
      const accounts = await Promise.allSettled([other(), admin()])
      return accounts.flatMap((account) => (account.status === 'fulfilled' ? [account.value] : []))
    },
    twoFactor() {
      if (target.otp === undefined) return needed('two-factor account')
      return { ...known(target.otp, 'CODE_HOSTING_OTP'), secret: target.otp.secret }
    },
    twoFactorWithWrongPassword() {
      return basic(this.twoFactor().username, wrongPassword)
    },
  }
}

/** A site admin and the login name of a user as whom to act. */
export interface Sudo {
  credentials: Credentials
  as: string
}

/**
 * The site admin, once a request without sudo has shown the admin's own record.
 *
 * @throws Skip when no admin is configured, nobody can be named, or that control fails
 */
export function createSudo(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
): () => Promise<Sudo> {
  return fixture('sudo', async () => {
    const { credentials } = await accounts.admin()
    const as = target.username ?? target.other?.username ?? needed('user to act as')
    const control = await client.user({ credentials })
    const login = (control.json as { login?: unknown } | null | undefined)?.login
    if (control.status !== 200 || String(login).toLowerCase() === as.toLowerCase()) {
      const shown = displayValue(control, login)
      skip(`no control: without sudo the admin got status ${control.status} and login ${shown}`)
    }
    return { credentials, as }
  })
}
