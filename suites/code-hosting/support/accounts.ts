import { randomBytes } from 'node:crypto'
import { checkSettings, skipWithoutControl } from '../../../lib/conformance/check-errors.ts'
import { displayValue } from '../../../lib/conformance/describe-exchange.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { CodeHostingClient } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { Account, CodeHostingTarget } from '../variables.ts'

export interface KnownAccount {
  username: string
  credentials: Credentials
}

/** The accounts of the target. Checks of unconfigured accounts are skipped. */
export interface Accounts {
  /** The login name of the main account. */
  username(): string
  /** An account that cannot see the private repository; its password is accepted. */
  other(): Promise<KnownAccount>
  /** A site administrator; its password is accepted. */
  admin(): Promise<KnownAccount>
  /** The account with two-factor authentication, without a check of its password. */
  twoFactor(): KnownAccount & { secret: string }
  twoFactorWithWrongPassword(): Credentials
  mainWithWrongPassword(): Credentials
  /** The main account, without a check of its password. */
  main(): KnownAccount
  /** The other account and the site administrator, as far as they are available. */
  others(): Promise<KnownAccount[]>
  /** The site administrator and another user, once a control without sudo shows the administrator. */
  sudo(): Promise<{ credentials: Credentials; as: string }>
}

export function createAccounts(
  { redactor }: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
): Accounts {
  const wrongPassword = randomBytes(20).toString('hex')
  redactor.add('WRONG_PASSWORD', wrongPassword)

  function toKnownAccount({ username, password }: Account, variable: string): KnownAccount {
    redactor.addBasic(username, `${variable}_PASSWORD`, password)
    return { username, credentials: basic(username, password) }
  }

  /** Returns an account once the service accepts its password. */
  const acceptedAccount = (
    place: 'other' | 'admin',
    need: 'other account' | 'site administrator',
  ) =>
    fixture(`${place} account`, async () => {
      const account = target[place] ?? skipUnmetNeed(need)
      const variable = `CODE_HOSTING_${place.toUpperCase()}`
      const candidate = toKnownAccount(account, variable)
      const user = await client.user({ credentials: candidate.credentials })
      if (user.status !== 401) return candidate
      const problem = `the account ${account.username} was refused with 401`
      return checkSettings([`${variable}_USERNAME`, `${variable}_PASSWORD`], problem, user)
    })

  const other = acceptedAccount('other', 'other account')
  const admin = acceptedAccount('admin', 'site administrator')
  const username = () => target.username ?? skipUnmetNeed('main account username')

  function twoFactor(): KnownAccount & { secret: string } {
    const otp = target.otp ?? skipUnmetNeed('two-factor account')
    return { ...toKnownAccount(otp, 'CODE_HOSTING_OTP'), secret: otp.secret }
  }

  return {
    username,
    other,
    admin,
    twoFactor,
    twoFactorWithWrongPassword: () => basic(twoFactor().username, wrongPassword),
    mainWithWrongPassword: () => basic(username(), wrongPassword),

    main() {
      const { username, password } = target
      if (username === undefined || password === undefined)
        return skipUnmetNeed('main account password')
      return toKnownAccount({ username, password }, 'CODE_HOSTING')
    },

    async others() {
      const accounts = await Promise.allSettled([other(), admin()])
      return accounts.flatMap((account) => (account.status === 'fulfilled' ? [account.value] : []))
    },

    sudo: fixture('sudo', async () => {
      const { credentials } = await admin()
      const as = target.username ?? target.other?.username ?? skipUnmetNeed('sudo target')
      const control = await client.user({ credentials })
      const login = (control.json as { login?: unknown } | null | undefined)?.login
      if (control.status !== 200 || String(login).toLowerCase() === as.toLowerCase()) {
        const actual = displayValue(control, login)
        const problem = `without sudo the admin got status ${control.status} and login ${actual}`
        skipWithoutControl(problem, control)
      }
      return { credentials, as }
    }),
  }
}
