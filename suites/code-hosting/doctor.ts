import { displayValue } from '../../lib/conformance/describe-exchange.ts'
import { unmetNeeds } from '../../lib/conformance/requirement.ts'
import type { Run } from '../../lib/conformance/run.ts'
import type { FindingRecorder, ServiceDoctor } from '../../lib/doctor/examine.ts'
import { noteRedirect } from '../../lib/doctor/reachability.ts'
import { groupBy } from '../../lib/environment/group-by.ts'
import type { Target } from '../../lib/environment/target.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import {
  type CodeHostingFacts,
  type CodeHostingNeed,
  codeHostingNeeds,
  type ReadCategory,
  readPlaces,
} from './needs.ts'
import { codeHostingPreflight, createCodeHostingContext } from './support/context.ts'
import { oneTimeCode } from './support/one-time-code.ts'
import { numberIn } from './support/repository-list.ts'
import { readScopes } from './support/supplied-reads.ts'
import { type CodeHostingTarget, codeHostingVariables } from './variables.ts'

function userIn({ json }: Exchange): { login?: unknown; is_admin?: unknown } {
  return Object(json)
}

function shows(user: Exchange, name: string): boolean {
  const { login } = userIn(user)
  const isText = user.status === 200 && typeof login === 'string'
  return isText && login.toLowerCase() === name.toLowerCase()
}

const OR_SERVER = 'If it is one, the server is wrong, and a run judges that.'

async function examine(run: Run, notes: FindingRecorder): Promise<CodeHostingFacts | undefined> {
  const context = createCodeHostingContext(run)
  const { accounts, codeHosting, repositories, settings, target, tokens } = context

  const look = {
    async answers(): Promise<boolean> {
      const ready = await notes.attempt(async () => {
        // At once, for a server that is silent; the preflight has the same answers and does not ask again.
        const [record, ...others] = await Promise.allSettled([
          codeHosting.settings({ credentials: anonymous }),
          codeHosting.user({ credentials: anonymous }),
          codeHosting.repositories({}, { credentials: anonymous }),
        ])
        const { baseUrl, gatewayRateLimits, production } = target
        const place = { baseUrl, variable: 'CODE_HOSTING_BASE_URL' }
        if (record.status === 'fulfilled' && noteRedirect(place, record.value, notes)) return false
        const isThere = [record, ...others].some(({ status }) => status === 'fulfilled')
        // Passwords are for a service that is there.
        const alone = { baseUrl, settings, gatewayRateLimits, production }
        await codeHostingPreflight({ target: isThere ? target : alone, codeHosting })
        notes.add('good', `The service answers at ${baseUrl}.`)
        return true
      })
      return ready === true
    },

    async settings(): Promise<void> {
      const record = await codeHosting.settings({ credentials: anonymous })
      const named = Object(record.status === 200 ? record.json : {}) as Record<string, unknown>
      const { settings: table } = codeHostingVariables.table
      const shown = Object.entries(table).flatMap(([key, { name }]) => {
        const field = name.replace('CODE_HOSTING_', '').toLowerCase()
        const expected = settings[key as keyof typeof settings]
        return typeof named[field] === 'number' ? [{ name, field, expected }] : []
      })
      const differing = shown.filter(({ field, expected }) => named[field] !== expected)
      for (const { name, field, expected } of differing) {
        const both = `${field} is ${named[field]}, and ${name} is ${expected}`
        notes.add('configuration', `The server says that ${both}: set it to what the server has.`)
      }
      if (differing.length === 0 && shown.length > 0) {
        notes.add('good', 'The server shows the settings that a run expects.')
      }
    },

    /** Whether the main account can be used. It is tried once. */
    async mainAccount(): Promise<boolean> {
      const user = await notes.attempt(async () => {
        await tokens.mainCredentials()
        return codeHosting.user()
      })
      if (user === undefined) return false
      const { login, is_admin: isAdmin } = userIn(user)
      if (user.status !== 200 || typeof login !== 'string') {
        const seen = `reads its own user with status ${user.status} and no login`
        notes.add('warning', `The main account ${seen}: a run judges that.`)
        return false
      }
      // The record may not say who is a site admin: it is one who may act as another user.
      const as = target.other?.username ?? target.admin?.username
      const mayActAsAnother = async () =>
        as !== undefined &&
        !shows(user, as) &&
        shows(await codeHosting.user({ sudo: { as, in: 'header' } }), as)
      const ordinary = 'name an ordinary one in CODE_HOSTING_USERNAME.'
      if (isAdmin === true) {
        notes.add('configuration', `The main account is a site admin: ${ordinary}`)
      } else if (target.username !== undefined && !shows(user, target.username)) {
        const name = `The main account is ${displayValue(user, login)} by its login name`
        const other = 'CODE_HOSTING_USERNAME names another: set it to the login name.'
        notes.add('configuration', `${name}, and ${other}`)
      } else if (await notes.attempt(mayActAsAnother)) {
        const kind = isAdmin === false ? 'warning' : 'configuration'
        notes.add(kind, `The main account may act as ${as} (sudo): ${ordinary} ${OR_SERVER}`)
      } else notes.add('good', 'The main account is accepted.')
      return true
    },

    async repositories(): Promise<CodeHostingFacts> {
      const named = [
        await notes.attempt(repositories.readablePublicName, 'configuration'),
        await notes.attempt(repositories.readablePrivateName, 'configuration'),
      ].filter((name) => name !== undefined)
      if (named.length > 0) notes.add('good', `The main account reads ${named.join(' and ')}.`)
      const list = await notes.attempt(() =>
        repositories.observed(async ({ known }) => {
          const { names, isWhole, shownBy } = await known()
          return { names, isWhole, total: shownBy[0] && numberIn(shownBy[0], 'x-total-count') }
        }),
      )
      if (list === undefined) return {}
      const { names, isWhole, total } = list
      const count = isWhole ? names.length : Math.max(total ?? 0, names.length)
      const enough = 2 * settings.maxResponseItems
      const about = isWhole || total !== undefined ? '' : 'at least '
      const counted = `The main account has ${about}${count} repositories`
      if (count > enough) notes.add('good', `${counted}, enough for every kind of page.`)
      else notes.add('warning', `${counted}; every kind of page needs more than ${enough}.`)
      const hidden = target.privateRepository?.toLowerCase()
      const listsPrivate =
        !isWhole || hidden === undefined || names.some((name) => name.toLowerCase() === hidden)
      if (!listsPrivate) {
        const unlisted = 'CODE_HOSTING_PRIVATE_REPOSITORY is not in the list of the main account'
        notes.add('warning', `${unlisted}: one that is lets more be judged.`)
      }
      return { repositories: count, totalCount: total !== undefined, listsPrivate }
    },

    async other(): Promise<void> {
      const { credentials, username } = await accounts.other()
      const hidden = target.privateRepository
      const seen = hidden && (await codeHosting.repository(hidden, { credentials }))
      if (seen && seen.status === 200) {
        const sees = `${username} (CODE_HOSTING_OTHER_USERNAME) sees the private repository ${hidden}`
        const advice = 'name an account without access to it that is no site admin.'
        notes.add('configuration', `${sees}: ${advice} ${OR_SERVER}`)
      } else {
        const what = seen ? ' and does not see the private repository' : ''
        notes.add('good', `The other account is accepted${what}.`)
      }
    },

    async admin(): Promise<void> {
      const { credentials, as } = await context.sudo()
      const user = await codeHosting.user({ credentials, sudo: { as, in: 'header' } })
      if (shows(user, as)) {
        return notes.add('good', `The site admin is accepted and may act as ${as}.`)
      }
      const kind = user.status === 403 ? 'configuration' : 'warning'
      const got = `asked to act as ${as} and got status ${user.status}: name a site admin.`
      notes.add(kind, `The account of CODE_HOSTING_ADMIN_USERNAME ${got} ${OR_SERVER}`)
    },

    /** Tries the password once, with a code: without one a right password may be refused as well. */
    async twoFactor(): Promise<void> {
      const { credentials, secret, username } = accounts.twoFactor()
      const account = `${username} (CODE_HOSTING_OTP_USERNAME)`
      const request = { method: 'GET', path: '/api/v1/user', body: null }
      const options = { credentials, oneTimeCode: oneTimeCode(context.run, secret) }
      const withCode = await codeHosting.undocumented(request, options)
      if (withCode.status !== 200) {
        const answered = `with its one-time code was answered with ${withCode.status}`
        const check =
          'check CODE_HOSTING_OTP_PASSWORD, CODE_HOSTING_OTP_SECRET, the clocks, and whether the ' +
          'server takes codes in X-Service-OTP.'
        notes.add('target', `${account} ${answered}: ${check}`)
      } else if ((await codeHosting.user({ credentials })).status !== 200) {
        notes.add('good', `${account} needs its one-time code, which is accepted.`)
      } else {
        const open = 'has two-factor authentication, and CODE_HOSTING_OTP_SECRET is its secret'
        notes.add(
          'untold',
          `Whether ${account} ${open}: codes are asked for where tokens are made.`,
        )
      }
    },
  }

  if (!(await look.answers())) return undefined
  await notes.attempt(look.settings)
  const facts = (await look.mainAccount()) ? await look.repositories() : {}
  for (const account of [look.other, look.admin, look.twoFactor]) await notes.attempt(account)
  return facts
}

type Owner = 'username' | 'other' | 'otp' | 'admin'

type Grant = readonly [owner: Owner, scopes: string, ...needs: CodeHostingNeed[]]

/** The tokens that a run makes and a service that conforms grants, with what they need besides. */
const grants: readonly Grant[] = [
  ['admin', 'all', 'password', 'site admin', 'user to act as'],
  ['admin', 'read:admin, write:admin', 'password', 'site admin'],
  ['admin', 'read:issue', 'password', 'site admin', 'admin request'],
  ['username', 'all', 'password'],
  ['username', 'every scope except those of admin', 'password'],
  ['username', 'read and write of all except admin, user and repository', 'password'],
  ['username', 'write:user, write:repository', 'password'],
  ['username', 'write:user', 'password'],
  ['username', 'write:repository', 'password'],
  ['username', 'read:user, read:repository', 'password'],
  ['username', 'read:user', 'password'],
  ['username', 'read:repository', 'password', 'public repository'],
  ['username', 'public-only, all', 'password', 'private repository'],
  ['username', 'public-only, write:user, write:repository', 'password', 'private repository'],
  ['username', 'public-only, read:user, read:repository', 'password'],
  ['username', 'public-only', 'password'],
  ['username', 'read:issue', 'password'],
  ['username', 'no scope', 'password'],
  ['username', 'read and write of all except admin and repository', 'password', 'large files'],
  ['other', 'all', 'password', 'other account'],
  ['otp', 'read:issue', 'two-factor account'],
]

const readCategories = Object.keys(readPlaces) as ReadCategory[]

/** Returns those for the supplied requests; some are the same, or the same as the ones above. */
function grantsOfCategories(codeHosting: CodeHostingTarget): Grant[] {
  const supplied = readCategories.filter((one) => codeHosting[readPlaces[one]] !== undefined)
  return supplied.flatMap((one): Grant[] => [
    ['username', readScopes[one].join(', '), 'password'],
    ['username', `read and write of all except admin and ${one}`, 'password'],
  ])
}

/** Tokens that no run can delete: how many, of whom, and what they may do. */
function leftBehind(target: Target): string | undefined {
  const { codeHosting } = target
  if (codeHosting === undefined || codeHosting.tokenDeletePath !== undefined) return undefined
  const granted = [...grants, ...grantsOfCategories(codeHosting)].filter(([, , ...needs]) => {
    const names = ['password in place of a token', 'writing', ...needs]
    return unmetNeeds(codeHostingNeeds, names, target).length === 0
  })
  const made = [...new Map(granted.map((grant) => [`${grant[0]} ${grant[1]}`, grant])).values()]
  if (made.length === 0) return undefined
  const ofOwners = [...groupBy(made, ([owner]) => owner)].map(([owner, some]) => {
    const account = codeHosting[owner as Owner]
    const name = typeof account === 'object' ? account.username : account
    const rank = owner === 'admin' ? ', a site admin' : ''
    return `Of ${name}${rank}: ${some.map(([, scopes]) => scopes).join('; ')}.`
  })
  const count = made.length === 1 ? '1 access token' : `${made.length} access tokens`
  const isAdmins = made.some(([owner]) => owner === 'admin')
  const { name, example } = codeHostingVariables.table.tokenDeletePath
  return [
    `A run leaves ${count} that stay valid${isAdmins ? ', one of them of a site admin' : ''}. Set`,
    `${name} to where tokens are deleted, such as ${example}, and it takes them away.`,
    ...ofOwners,
  ].join(' ')
}

export const codeHostingDoctor: ServiceDoctor = { examine, leftBehind, needsClock: true }
