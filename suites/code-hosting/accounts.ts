/** The accounts of the target, their one-time codes, and the configured repositories. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import {
  checkSettings,
  inconclusive,
  skip,
  skipWithoutControl,
} from '../../lib/conformance/check-errors.ts'
import { fixture } from '../../lib/conformance/check-scope.ts'
import { displayValue } from '../../lib/conformance/deviations.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { nearMisses } from '../../lib/conformance/near-misses.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { basic, type Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { CodeHostingClient, RepositoryPage } from './client.ts'
import { FOUNDATION_PRIORITY, hasName, isRecordOf } from './client.ts'
import type { List } from './lists.ts'
import type { Account, CodeHostingTarget } from './variables.ts'
import { type CodeHostingNeed, skipUnmetNeed, variablesOf } from './variables.ts'

export interface KnownAccount extends Account {
  credentials: Credentials
}

type Redacting = Pick<Run, 'redactor'>
export type Accounts = ReturnType<typeof createAccounts>
export type Repositories = ReturnType<typeof createRepositories>

export const mainOf = ({ username, password }: CodeHostingTarget): Account | undefined =>
  username && password ? { username, password } : undefined

/** The accounts of the target. Checks of unconfigured accounts are skipped. */
export function createAccounts(
  { redactor }: Redacting,
  target: CodeHostingTarget,
  client: CodeHostingClient,
) {
  const wrongPassword = randomBytes(20).toString('hex')
  redactor.add('WRONG_PASSWORD', wrongPassword)
  const skipFor = (who: string, user: Exchange) => {
    const login = displayValue(user, Object(user.json).login)
    return skipWithoutControl(`${who} got status ${user.status} and login ${login}`, user)
  }

  function known<T extends Account>(account: T | undefined, need: CodeHostingNeed, role = '') {
    const { username, password } = account ?? skipUnmetNeed(need)
    redactor.addBasic(username, `CODE_HOSTING_${role}PASSWORD`, password)
    return { ...(account as T), credentials: basic(username, password) }
  }

  /** Returns an account once the service accepts its password. */
  const accepted = (place: 'other' | 'admin', need: CodeHostingNeed) =>
    fixture(`${place} account`, async (): Promise<KnownAccount> => {
      const role = `${place.toUpperCase()}_`
      const account = known(target[place], need, role)
      const user = await client.user({ credentials: account.credentials })
      if (user.status !== 401) return account
      const problem = `the account ${account.username} was refused with 401`
      return checkSettings(variablesOf(place), problem, user)
    })
  const other = accepted('other', 'other account')
  const admin = accepted('admin', 'site administrator')

  const sudo = fixture('sudo', async () => {
    const { credentials } = await admin()
    const as = target.username ?? target.other?.username ?? skipUnmetNeed('sudo target')
    const user = await client.user({ credentials })
    if (user.status === 200 && !isRecordOf(user, as)) return { credentials, as }
    return skipFor('without sudo the admin', user)
  })

  /** Returns true if the user record of an account has `is_admin`, which the document leaves open. */
  async function isSiteAdmin(place: 'main' | 'other'): Promise<boolean> {
    const credentials = place === 'other' ? (await other()).credentials : undefined
    return Object((await client.user({ credentials })).json).is_admin === true
  }

  return {
    /** An account that cannot see the private repository; its password is accepted. */
    other,
    /** A site administrator; its password is accepted. */
    admin,
    /** The site administrator and another user, once a control without sudo shows the administrator. */
    sudo,
    isSiteAdmin,
    username: () => target.username ?? skipUnmetNeed('main account username'),
    withWrongPassword: ({ username }: { username: string }) => basic(username, wrongPassword),
    /** The main account, without a check of its password. */
    main: () => known(mainOf(target), 'main account password'),
    /** The account with two-factor authentication, without a check of its password. */
    twoFactor: () => known(target.otp, 'two-factor account', 'OTP_'),
    /** Skips the check for a site administrator, who may do what a regular user may not. */
    async requireRegular(place: 'main' | 'other'): Promise<void> {
      if (await isSiteAdmin(place)) skipUnmetNeed('regular account')
    },
  }
}

/** Validity of a code in milliseconds (RFC 6238, 5.2). */
const STEP_MS = 30_000

/** Offsets of the steps whose codes a lenient server might still accept. */
const nearbySteps = Array.from({ length: 41 }, (_, index) => index - 20)

function codeOf(secret: string, fromNow: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: STEP_MS / 1000 })
  return totp.generate({ timestamp: Date.now() + fromNow * STEP_MS })
}

/** Returns the code of a nearby step and registers it as a secret. @param fromNow in steps */
export function oneTimeCode({ redactor }: Redacting, secret: string, fromNow = 0): string {
  const code = codeOf(secret, fromNow)
  redactor.add('ONE_TIME_CODE', code)
  return code
}

/** Candidates for codes that are wrong, the preferred one first. */
const candidates = {
  invented: (_secret: string, index: number) => String(index).padStart(6, '0'),
  stale: (secret: string, index: number) => codeOf(secret, -3_600_000 / STEP_MS - index),
  /** The current code with another last digit. */
  near: (secret: string, index: number) =>
    codeOf(secret, 0).replace(/.$/, (digit) => String((Number(digit) + 1 + index) % 10)),
}

export type WrongCode = keyof typeof candidates

/** Returns a code that is invalid in all nearby steps. Registers a code that is near a valid one as a secret. */
export function wrongCode({ redactor }: Redacting, secret: string, kind: WrongCode) {
  const nearby = new Set(nearbySteps.map((step) => codeOf(secret, step)))
  for (let index = 0; ; index += 1) {
    const code = candidates[kind](secret, index)
    if (nearby.has(code)) continue
    if (kind === 'near') redactor.add('WRONG_ONE_TIME_CODE', code)
    return code
  }
}

export const untilNextStep = () => STEP_MS - (Date.now() % STEP_MS)

/** Number of repositories of a list that are read individually. */
const SAMPLE_SIZE = 6

/** The configured repositories. @param listOfMain list of the main account */
export function createRepositories(
  { settings }: Pick<Run, 'settings'>,
  target: CodeHostingTarget,
  client: CodeHostingClient,
  listOfMain: () => Promise<List>,
) {
  const missing = `plumbline-${settings.runId}-missing`
  const publicName = () => target.publicRepository ?? skipUnmetNeed('public repository')
  const missingName = () => `${publicName().split('/')[0]}/${missing}`

  /** @throws Inconclusive for a 404 response if the list does not show the public repository */
  async function requirePublicExists(exchange: Exchange): Promise<void> {
    const { status, headers } = exchange
    const repository = `the repository ${publicName()}`
    const variables = ['CODE_HOSTING_PUBLIC_REPOSITORY']
    if (status >= 300 && status < 400) {
      checkSettings(variables, `${repository} has moved to ${headers.get('location')}`, exchange)
    }
    if (status !== 404) return
    const { names, length } = await listOfMain()
    if (hasName(names, publicName())) return
    const scope = length === undefined ? 'listed on the pages that were read' : 'listed'
    checkSettings(variables, `${repository} is neither found nor ${scope}`, exchange)
  }

  /** Returns the name of a repository once the main account reads it. */
  const readable = (kind: 'public' | 'private') =>
    fixture(`${kind} repository`, async (): Promise<string> => {
      const isPublic = kind === 'public'
      const name = target[`${kind}Repository`] ?? skipUnmetNeed(`${kind} repository`)
      const exchange = await client.repository(name, { priority: FOUNDATION_PRIORITY })
      if (isPublic) await requirePublicExists(exchange)
      const variable = `CODE_HOSTING_${kind.toUpperCase()}_REPOSITORY`
      // The document leaves this field open.
      const shown: unknown = Object(exchange.json).private
      if (shown === isPublic) {
        const actual = shown ? 'private' : 'public'
        checkSettings([variable], `the repository of ${variable} is ${actual}`, exchange)
      }
      const { status } = exchange
      if (isPublic ? isSuccess(exchange) : status === 200) return name
      const problem = `the main account requested the ${kind} repository ${name} and got ${status}`
      if (isPublic) return skip(`${problem}; see code-hosting/resources/repository`)
      if (status >= 500) return inconclusive(problem, exchange)
      return checkSettings([variable], problem, exchange)
    })

  const readablePrivateName = readable('private')
  return {
    publicName,
    requirePublicExists,
    readablePublicName: readable('public'),
    readablePrivateName,
    /** The name of the private repository in the other letter case. @throws Skip without letters */
    async privateNameInOtherLetters(): Promise<string> {
      const name = await readablePrivateName()
      const other = nearMisses['other case'](name)
      return other === name ? skip(`${name} has no letters`) : other
    },
    /** The name of a repository that does not exist, of the owner of the public one. */
    missingName,
    /** The same with a name that is longer than servers store. */
    longMissingName: () => missingName().padEnd(300, '-long'),
    nameOfMissingOwner: () => `${missing}/${publicName().split('/')[1]}`,

    /** Returns some repositories of these pages, of each kind first: each value of a flag, such as `private`. */
    sampleOf(pages: readonly RepositoryPage[]): { page: RepositoryPage; name: string }[] {
      const listed = pages.flatMap((page) =>
        (page.names ?? []).map((name, index) => ({ page, name, record: Object(page.json)[index] })),
      )
      // The undocumented fields only affect the order.
      const kinds = new Set<string>()
      const isNewKind = ({ record }: { record: object }) => {
        const before = kinds.size
        for (const [field, value] of Object.entries(record)) {
          if (typeof value === 'boolean') kinds.add(`${field} ${value}`)
        }
        return kinds.size > before
      }
      const step = Math.max(1, Math.floor(listed.length / SAMPLE_SIZE))
      const spread = listed.filter((_, index) => index % step === 0)
      const sample = new Set([...listed.filter(isNewKind), ...spread])
      return [...sample].filter(({ name }) => name !== '').slice(0, SAMPLE_SIZE)
    },
  }
}
