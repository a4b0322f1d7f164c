import { randomBytes } from 'node:crypto'
import { checkSettings, skipWithoutControl } from '../../../lib/conformance/check-errors.ts'
import { displayValue } from '../../../lib/conformance/describe-exchange.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { CodeHostingClient } from '../client.ts'
import { needed } from '../needs.ts'
import type { Account, CodeHostingTarget } from '../variables.ts'

export interface KnownAccount {
  username: string
  credentials: Credentials
}

export type Accounts = ReturnType<typeof createAccounts>

/** The accounts of the target. What is not configured is skipped by the variable's name. */
export function createAccounts(
  { redactor }: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
) {
  const wrongPassword = randomBytes(20).toString('hex')
  redactor.add('WRONG_PASSWORD', wrongPassword)

  function known({ username, password }: Account, variable: string): KnownAccount {
    redactor.addBasic(username, `${variable}_PASSWORD`, password)
    return { username, credentials: basic(username, password) }
  }

  /** An account that is tried before it is handed out. */
  const tried = (place: 'other' | 'admin', need: 'other account' | 'site admin') =>
    fixture(`${place} account`, async () => {
      const account = target[place] ?? needed(need)
      const variable = `CODE_HOSTING_${place.toUpperCase()}`
      const candidate = known(account, variable)
      const user = await client.user({ credentials: candidate.credentials })
      if (user.status !== 401) return candidate
      const refused = `the account ${account.username} was refused with 401`
      return checkSettings([`${variable}_USERNAME`, `${variable}_PASSWORD`], refused, user)
    })

  const other = tried('other', 'other account')
  const admin = tried('admin', 'site admin')
  const username = () => target.username ?? needed('login name')

  /** Not yet tried. */
  function twoFactor(): KnownAccount & { secret: string } {
    const otp = target.otp ?? needed('two-factor account')
    return { ...known(otp, 'CODE_HOSTING_OTP'), secret: otp.secret }
  }

  return {
    /** The login name of the main account. */
    username,
    /** An account that cannot see the private repository; seen to be accepted. */
    other,
    /** A site administrator; seen to be accepted. */
    admin,
    twoFactor,
    twoFactorWithWrongPassword: () => basic(twoFactor().username, wrongPassword),
    mainWithWrongPassword: () => basic(username(), wrongPassword),

    /** Not yet tried. */
    main(): KnownAccount {
      const { username, password } = target
      if (username === undefined || password === undefined) return needed('password')
      return known({ username, password }, 'CODE_HOSTING')
    },

    /** Those of the two that there are. */
    async others(): Promise<KnownAccount[]> {
      const accounts = await Promise.allSettled([other(), admin()])
      return accounts.flatMap((account) => (account.status === 'fulfilled' ? [account.value] : []))
    },

    /** The site admin, and a user as whom to act, once the admin's own record is seen without sudo. */
    sudo: fixture('sudo', async () => {
      const { credentials } = await admin()
      const as = target.username ?? target.other?.username ?? needed('user to act as')
      const control = await client.user({ credentials })
      const login = (control.json as { login?: unknown } | null | undefined)?.login
      if (control.status !== 200 || String(login).toLowerCase() === as.toLowerCase()) {
        const shown = displayValue(control, login)
        const got = `without sudo the admin got status ${control.status} and login ${shown}`
        skipWithoutControl(got, control)
      }
      return { credentials, as }
    }),
  }
}
