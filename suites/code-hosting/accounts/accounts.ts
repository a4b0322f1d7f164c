import { randomBytes } from 'node:crypto'
import { checkSettings, skipWithoutControl } from '../../../lib/conformance/check-errors.ts'
import { displayValue } from '../../../lib/conformance/describe-exchange.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Redactor } from '../../../lib/probe/redaction/redaction.ts'
import type { CodeHostingClient } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { Account, CodeHostingTarget } from '../variables.ts'

export interface KnownAccount {
  username: string
  credentials: Credentials
}

/** The accounts of the target. Checks of unconfigured accounts are skipped. */
export class Accounts {
  readonly #redactor: Redactor
  readonly #target: CodeHostingTarget
  readonly #client: CodeHostingClient
  readonly #wrongPassword = randomBytes(20).toString('hex')

  constructor(
    { redactor }: Pick<Run, 'redactor'>,
    target: CodeHostingTarget,
    client: CodeHostingClient,
  ) {
    this.#redactor = redactor
    this.#target = target
    this.#client = client
    redactor.add('WRONG_PASSWORD', this.#wrongPassword)
  }

  /** The login name of the main account. */
  username(): string {
    return this.#target.username ?? skipUnmetNeed('main account username')
  }

  /** An account that cannot see the private repository; its password is accepted. */
  readonly other = this.#accepted('other', 'other account')

  /** A site administrator; its password is accepted. */
  readonly admin = this.#accepted('admin', 'site administrator')

  /** The account with two-factor authentication, without a check of its password. */
  twoFactor(): KnownAccount & { secret: string } {
    const otp = this.#target.otp ?? skipUnmetNeed('two-factor account')
    return { ...this.#toKnownAccount(otp, 'CODE_HOSTING_OTP'), secret: otp.secret }
  }

  twoFactorWithWrongPassword(): Credentials {
    return basic(this.twoFactor().username, this.#wrongPassword)
  }

  mainWithWrongPassword(): Credentials {
    return basic(this.username(), this.#wrongPassword)
  }

  /** The main account, without a check of its password. */
  main(): KnownAccount {
    const { username, password } = this.#target
    return username === undefined || password === undefined
      ? skipUnmetNeed('main account password')
      : this.#toKnownAccount({ username, password }, 'CODE_HOSTING')
  }

  /** The other account and the site administrator, as far as they are available. */
  async others(): Promise<KnownAccount[]> {
    const accounts = await Promise.allSettled([this.other(), this.admin()])
    return accounts.flatMap((account) => (account.status === 'fulfilled' ? [account.value] : []))
  }

  /** The site administrator and another user, once a control without sudo shows the administrator. */
  readonly sudo = fixture('sudo', async () => {
    const { username, other } = this.#target
    const { credentials } = await this.admin()
    const as = username ?? other?.username ?? skipUnmetNeed('sudo target')
    const control = await this.#client.user({ credentials })
    const login = (control.json as { login?: unknown } | null | undefined)?.login
    if (control.status !== 200 || String(login).toLowerCase() === as.toLowerCase()) {
      const actual = displayValue(control, login)
      const problem = `without sudo the admin got status ${control.status} and login ${actual}`
      skipWithoutControl(problem, control)
    }
    return { credentials, as }
  })

  /** The site administrator as another user with Sudo, once the user record shows that user. */
  readonly acting = fixture('acting with Sudo', async () => {
    const { credentials, as } = await this.sudo()
    const options = { credentials, sudo: { as, in: 'header' } } as const
    const user = await this.#client.user(options)
    const login: unknown = Object(user.json).login
    if (user.status === 200 && String(login).toLowerCase() === as.toLowerCase()) return options
    const actual = `status ${user.status} and login ${displayValue(user, login)}`
    return skipWithoutControl(`with Sudo: ${as} the admin got ${actual}`, user)
  })

  /** True if the user record of an account has `is_admin`, which the document leaves open. */
  async isSiteAdmin(place: 'main' | 'other'): Promise<boolean> {
    const options = place === 'other' ? { credentials: (await this.other()).credentials } : {}
    return Object((await this.#client.user(options)).json).is_admin === true
  }

  /** Skips the check for a site administrator, who may do what a regular user may not. */
  async requireRegular(place: 'main' | 'other'): Promise<void> {
    if (await this.isSiteAdmin(place)) skipUnmetNeed('regular account')
  }

  /** Returns an account once the service accepts its password. */
  #accepted(place: 'other' | 'admin', need: 'other account' | 'site administrator') {
    return fixture(`${place} account`, async () => {
      const account = this.#target[place] ?? skipUnmetNeed(need)
      const variable = `CODE_HOSTING_${place.toUpperCase()}`
      const candidate = this.#toKnownAccount(account, variable)
      const user = await this.#client.user({ credentials: candidate.credentials })
      if (user.status !== 401) return candidate
      const problem = `the account ${account.username} was refused with 401`
      return checkSettings([`${variable}_USERNAME`, `${variable}_PASSWORD`], problem, user)
    })
  }

  #toKnownAccount({ username, password }: Account, variable: string): KnownAccount {
    this.#redactor.addBasic(username, `${variable}_PASSWORD`, password)
    return { username, credentials: basic(username, password) }
  }
}
