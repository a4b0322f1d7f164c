import { setTimeout as delay } from 'node:timers/promises'
import { type Creation, NAMELESS } from '../../../lib/conformance/ledger.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import { createRun } from '../../../lib/conformance/run.ts'
import type { Sweeper, Sweeping, SweepingOptions, Swept } from '../../../lib/conformance/sweeper.ts'
import type { Target } from '../../../lib/environment/target.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import { TransportError } from '../../../lib/probe/exchange.ts'
import { createCodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { createTokenDeletion } from './token-deletion.ts'

/** The accounts whose password is known, with the variables that hold it. */
function ownersOf({ username, password, other, otp, admin }: CodeHostingTarget) {
  const main = username === undefined || password === undefined ? undefined : { username, password }
  return Object.entries({ '': main, OTHER_: other, OTP_: otp, ADMIN_: admin }).flatMap(
    ([role, account]) =>
      account === undefined ? [] : [{ ...account, variable: `CODE_HOSTING_${role}PASSWORD` }],
  )
}

function nameless(creation: Creation): Swept {
  const reason = creation.mayExist
    ? 'no answer of the service said that it was made, and one that conforms refuses it. Otherwise it ' +
      'is in the settings of the account'
    : 'the service made it, and it has no name by which to delete it: look for it in the settings of ' +
      'the account, and delete this ledger'
  return { creation, outcome: creation.mayExist ? 'refused' : 'left', reason }
}

/** Why no answer could be had, without the request that met it first. */
function unansweredReason(error: unknown, baseUrl: string): string {
  const { cause, exchange } = error instanceof Inconclusive ? error : {}
  const told =
    cause instanceof TransportError && cause.record.error !== undefined
      ? `${baseUrl} gave no answer: ${cause.record.error}`
      : exchange !== undefined
        ? `${baseUrl} answered with ${exchange.status}, which a gateway may have sent`
        : (error as Error).message
  return `${told}. Nothing more was sent: sweep again when it answers`
}

/**
 * Sends nothing but deletions of tokens, each with the password of its account. A password that is
 * refused is not tried again.
 */
function open(target: Target, { version, secrets, redactor }: SweepingOptions): Sweeping {
  const { codeHosting } = target
  if (codeHosting?.tokenDeletePath === undefined) throw new Error('there is an obstacle')
  const { baseUrl, otp, tokenDeletePath } = codeHosting
  const run = createRun({
    runId: 'sweep',
    version,
    target,
    secrets,
    embedded: false,
    selected: [],
    documentsStatuses: ['code-hosting'],
  })
  let failure: unknown
  const client = createCodeHostingClient(
    baseUrl,
    async (request) => {
      try {
        return await run.send('code-hosting', request)
      } catch (error) {
        failure = error
        throw error
      }
    },
    () => Promise.reject(new Error('a deletion names its account')),
  )
  const retrySettings = {
    settings: { target },
    redactor: run.redactor,
    wait: (milliseconds: number) => delay(milliseconds),
  }
  const deletion = createTokenDeletion(retrySettings, codeHosting, client)
  const owners = ownersOf(codeHosting)
  for (const { username, password, variable } of owners) {
    redactor.addBasic(username, variable, password)
  }
  const refusedPasswords = new Map<string, string>()
  let unreachable: string | undefined

  async function sweep(creation: Creation): Promise<Swept> {
    const { name, account } = creation
    const left = (reason: string): Swept => ({ creation, outcome: 'left', reason })
    if (name === NAMELESS) return nameless(creation)
    const owner = owners.find(({ username }) => username === account)
    if (owner === undefined) return left(`no variable holds the password of ${account}`)
    const known = refusedPasswords.get(account)
    if (known !== undefined) return { ...left(known), unauthorized: true }
    if (unreachable !== undefined) return left(unreachable)
    const credentials = basic(owner.username, owner.password)
    failure = undefined
    const deleted = await deletion.remove(creation, { credentials }, tokenDeletePath)
    if (deleted.outcome === 'deleted') return { creation, outcome: 'removed' }
    if (deleted.outcome === 'absent') return { creation, outcome: 'gone' }
    if (deleted.status === undefined) {
      const error = failure ?? new Error(deleted.reason)
      unreachable = redactor.redact(unansweredReason(error, baseUrl))
      return left(unreachable)
    }
    if (deleted.status !== 401) return left(deleted.reason)
    const secret = otp?.username === account ? ' and CODE_HOSTING_OTP_SECRET' : ''
    const reason =
      `the service refused the credentials of ${account} (401): correct ` +
      `${owner.variable}${secret}, and sweep again`
    refusedPasswords.set(account, reason)
    return { ...left(reason), unauthorized: true }
  }

  return { sweep, close: () => run.close() }
}

/** Access tokens are all that is made there and can be deleted. */
export const sweeper: Sweeper = {
  doubt:
    'No token was found. If some are still there, CODE_HOSTING_TOKEN_DELETE_PATH is not their path: ' +
    'delete by hand those that are named above.',
  obstacle(creations, { codeHosting }) {
    const other = creations.find(({ baseUrl }) => baseUrl !== codeHosting?.baseUrl)
    if (other !== undefined) {
      const configured =
        codeHosting === undefined ? 'is not set' : `is ${codeHosting.baseUrl}, another deployment`
      return (
        `The run made it at ${other.baseUrl}, and CODE_HOSTING_BASE_URL ${configured}: nothing was ` +
        'sent. Sweep again with the variables of that deployment.'
      )
    }
    if (codeHosting?.tokenDeletePath !== undefined) return undefined
    return (
      'CODE_HOSTING_TOKEN_DELETE_PATH is not set: nothing was sent. Set it to where tokens are ' +
      'deleted, such as /api/v1/users/{username}/tokens/{name}, and sweep again, or delete these ' +
      'in the settings of their accounts, and then the ledger.'
    )
  },
  open,
}
