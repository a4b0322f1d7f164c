import { unmetNeeds } from '../../lib/conformance/catalogue.ts'
import { displayValue } from '../../lib/conformance/deviations.ts'
import { classifyIntermediary } from '../../lib/conformance/preflight.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import type { FindingRecorder, ServiceDoctor } from '../../lib/doctor/examine.ts'
import type { Target } from '../../lib/environment/probe-variables.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { oneTimeCode } from './accounts.ts'
import { hasName, isRecordOf, loginIn } from './client.ts'
import {
  type CodeHostingContext,
  codeHostingPreflight,
  createCodeHostingContext,
} from './context.ts'
import { numberIn } from './lists.ts'
import {
  type CodeHostingFacts,
  codeHostingNeeds,
  codeHostingVariables,
  recordFields,
} from './variables.ts'

const OR_SERVER = 'If it is one, the server is wrong: a run checks that.'

/** Examines the service with GET requests, and tries each password once. */
class AccountExaminer {
  readonly #context: CodeHostingContext
  readonly #findings: FindingRecorder
  readonly #add: FindingRecorder['add']

  constructor(run: Run, findings: FindingRecorder) {
    this.#context = createCodeHostingContext(run)
    this.#findings = findings
    this.#add = findings.add
  }

  /** Returns undefined if the service does not respond. */
  async facts(): Promise<CodeHostingFacts | undefined> {
    if ((await this.#findings.attempt(() => this.#isReady())) !== true) return undefined
    const isUsable = await this.#canUseMainAccount()
    await this.#findings.attempt(() => this.#compareSettings(isUsable))
    const facts = isUsable ? await this.#examineRepositories() : {}
    await this.#findings.attempt(() => this.#examineOther())
    await this.#findings.attempt(() => this.#examineAdmin())
    await this.#findings.attempt(() => this.#examineTwoFactor())
    return facts
  }

  async #isReady(): Promise<boolean> {
    const { codeHosting, settings, target } = this.#context
    // Concurrent, since the server may be silent; the preflight shares these responses.
    const responses = await Promise.allSettled([
      codeHosting.settings({ credentials: anonymous }),
      codeHosting.user({ credentials: anonymous }),
      codeHosting.repositories({}, { credentials: anonymous }),
    ])
    const { baseUrl, gatewayRateLimits, production } = target
    const isReachable = responses.some((one) => {
      return one.status === 'fulfilled' && classifyIntermediary(one.value) !== 'redirect'
    })
    // Passwords are sent only to a service that responds, and not with a redirect, which may be to https.
    const anonymousTarget = { baseUrl, settings, gatewayRateLimits, production }
    await codeHostingPreflight({ target: isReachable ? target : anonymousTarget, codeHosting })
    this.#add('ok', `The service responds at ${baseUrl}.`)
    return true
  }

  /** @param hasMain true if the main account may read what requires signing in */
  async #compareSettings(hasMain: boolean): Promise<void> {
    const { codeHosting, configured } = this.#context
    const record = await codeHosting.settings(hasMain ? {} : { credentials: anonymous })
    const fields = Object(record.status === 200 ? record.json : {}) as Record<string, unknown>
    for (const [field, setting] of Object.entries(recordFields)) {
      const { name } = codeHostingVariables.table.settings[setting]
      const expected = configured[setting]
      if (typeof fields[field] !== 'number' || fields[field] === expected) continue
      const difference = `${field} is ${fields[field]}, and ${name} is ${expected}`
      const text = `The server reports that ${difference}: use the server's value.`
      this.#add('configuration', text)
    }
  }

  /** Sends the password of the main account once. */
  async #canUseMainAccount(): Promise<boolean> {
    const { codeHosting, target, tokens } = this.#context
    const user = await this.#findings.attempt(async () => {
      await tokens.mainCredentials()
      return codeHosting.user()
    })
    if (user === undefined) return false
    const login = loginIn(user)
    if (user.status !== 200 || login === undefined) {
      const actual = `reads its own user with status ${user.status} and no login`
      this.#add('warning', `The main account ${actual}: a run checks that.`)
      return false
    }
    if (target.username !== undefined && !isRecordOf(user, target.username)) {
      const name = `The main account is ${displayValue(user, login)} by its login name`
      const other = 'CODE_HOSTING_USERNAME names another: set it to the login name.'
      this.#add('configuration', `${name}, and ${other}`)
      return true
    }
    if (Object(user.json).is_admin === true) {
      const problem = 'The main account is a site admin, with which sudo-admin-only is not judged'
      const advice = 'name an ordinary one in CODE_HOSTING_USERNAME.'
      this.#add('warning', `${problem}: ${advice}`)
    } else this.#add('ok', 'The main account is accepted.')
    return true
  }

  async #examineRepositories(): Promise<CodeHostingFacts> {
    const { accounts, lists, repositories, target } = this.#context
    const isMainAdmin = await accounts.isSiteAdmin('main')
    const named = [
      await this.#findings.attempt(repositories.readablePublicName, 'configuration'),
      await this.#findings.attempt(repositories.readablePrivateName, 'configuration'),
    ].filter((name) => name !== undefined)
    if (named.length > 0) this.#add('ok', `The main account reads ${named.join(' and ')}.`)
    const list = await this.#findings.attempt(async () => {
      const { names, length, shownBy } = await lists.list('main')
      return { names, length, total: shownBy[0] && numberIn(shownBy[0], 'x-total-count') }
    })
    if (list === undefined) return { isMainAdmin }
    const { names, length, total } = list
    const isComplete = length !== undefined
    const count = isComplete ? names.size : Math.max(total ?? 0, names.size)
    const hidden = target.privateRepository
    const listsPrivate = !isComplete || hidden === undefined || hasName(names, hidden)
    return { repositories: count, totalCount: total !== undefined, listsPrivate, isMainAdmin }
  }

  async #examineOther(): Promise<void> {
    const { accounts, codeHosting, target } = this.#context
    const { credentials, username } = await accounts.other()
    const hidden = target.privateRepository
    const response = hidden && (await codeHosting.repository(hidden, { credentials }))
    if (response && response.status === 200) {
      const sees = `${username} (CODE_HOSTING_OTHER_USERNAME) sees the private repository ${hidden}`
      const advice = 'name an account without access to it that is not a site admin.'
      this.#add('configuration', `${sees}: ${advice} ${OR_SERVER}`)
    } else {
      const visibility = response ? ' and does not see the private repository' : ''
      this.#add('ok', `The other account is accepted${visibility}.`)
    }
  }

  async #examineAdmin(): Promise<void> {
    const { accounts, codeHosting } = this.#context
    const { credentials, as } = await accounts.sudo()
    const user = await codeHosting.user({ credentials, sudo: { as, in: 'header' } })
    if (isRecordOf(user, as)) {
      return this.#add('ok', `The site admin is accepted and may act as ${as}.`)
    }
    const kind = user.status === 403 ? 'configuration' : 'warning'
    const problem = `requested to act as ${as} and got status ${user.status}: name a site admin.`
    this.#add(kind, `The account of CODE_HOSTING_ADMIN_USERNAME ${problem} ${OR_SERVER}`)
  }

  /** Tries the password once, with a code, since the server may reject a password without one. */
  async #examineTwoFactor(): Promise<void> {
    const { accounts, codeHosting, run } = this.#context
    const { credentials, secret, username } = accounts.twoFactor()
    const account = `${username} (CODE_HOSTING_OTP_USERNAME)`
    const request = { method: 'GET', path: '/api/v1/user', body: null }
    const options = { credentials, oneTimeCode: oneTimeCode(run, secret) }
    const withCode = await codeHosting.undocumented(request, options)
    if (withCode.status !== 200) {
      const problem = `got status ${withCode.status} with its one-time code`
      const check =
        'check CODE_HOSTING_OTP_PASSWORD, CODE_HOSTING_OTP_SECRET, the clocks, and that the ' +
        'server reads codes from X-Service-OTP.'
      this.#add('target', `${account} ${problem}: ${check}`)
    } else if ((await codeHosting.user({ credentials })).status !== 200) {
      this.#add('ok', `${account} needs its one-time code, which is accepted.`)
    } else {
      const open = 'has two-factor authentication, and CODE_HOSTING_OTP_SECRET is its secret'
      this.#add('unknown', `Whether ${account} ${open}: only token creation requires codes.`)
    }
  }
}

/** Returns a warning if a run creates tokens that it cannot delete. */
function leakedResources(target: Target): string | undefined {
  const creation = ['token creation', 'write requests', 'main account password'] as const
  const createsTokens = unmetNeeds(codeHostingNeeds, creation, target).length === 0
  if (!createsTokens || target.codeHosting?.tokenDeletePath !== undefined) return undefined
  const { name, example } = codeHostingVariables.table.tokenDeletePath
  return `A run leaves its access tokens, which stay valid. Set ${name} to the path that deletes tokens, such as ${example}, and the run deletes them.`
}

export const codeHostingDoctor: ServiceDoctor = {
  async examine(run, findings, target) {
    const facts = await new AccountExaminer(run, findings).facts()
    const leaked = facts && leakedResources(target)
    if (leaked !== undefined) findings.add('warning', leaked)
    return facts
  },
}
