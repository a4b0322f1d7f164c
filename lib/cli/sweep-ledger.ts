import { setTimeout as delay } from 'node:timers/promises'
import { createCodeHostingClient } from '../../suites/code-hosting/client.ts'
import { createTokenDeletion } from '../../suites/code-hosting/support/token-deletion.ts'
import type { Creation } from '../conformance/ledger.ts'
import { NAMELESS } from '../conformance/ledger-reading.ts'
import { Inconclusive } from '../conformance/outcome.ts'
import { createRun } from '../conformance/run.ts'
import { basic } from '../probe/credentials.ts'
import { TransportError } from '../probe/exchange.ts'
import type { Redactor } from '../probe/redaction.ts'
import { secretsOf } from '../target/secrets.ts'
import type { CodeHostingTarget, Target } from '../target/target.ts'
import { version } from './context.ts'

/** What became of something that a run made. */
export interface Swept {
  creation: Creation
  /** `gone`: the service knows no such thing. `refused`: it is one that a service refuses to make. */
  outcome: 'removed' | 'gone' | 'refused' | 'left'
  /**
   * Why it was left, or may be there all the same, and what to do. It names nothing that is of this
   * one alone: the same words tell of all that share the cause.
   */
  reason?: string
  /** The service refused the credentials of the account. */
  unauthorized?: true
}

/** Takes away what runs have left on one target. */
export interface Broom {
  /** Each of these, which are at the base URL of the target, in their order. */
  sweep(creations: readonly Creation[]): Promise<Swept[]>
  close(): Promise<void>
}

interface KnownOwner {
  username: string
  password: string
  /** Of the variables that hold the two. */
  prefix: string
}

function ownersOf(target: CodeHostingTarget): KnownOwner[] {
  const { username, password, other, otp, admin } = target
  const main = username === undefined || password === undefined ? undefined : { username, password }
  const accounts = [
    { account: main, prefix: 'CODE_HOSTING' },
    { account: other, prefix: 'CODE_HOSTING_OTHER' },
    { account: otp, prefix: 'CODE_HOSTING_OTP' },
    { account: admin, prefix: 'CODE_HOSTING_ADMIN' },
  ]
  return accounts.flatMap(({ account, prefix }) =>
    account === undefined
      ? []
      : [{ username: account.username, password: account.password, prefix }],
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
 *
 * @param path of `CODE_HOSTING_TOKEN_DELETE_PATH`
 */
export function createBroom(
  target: Target & { codeHosting: CodeHostingTarget },
  path: string,
  redactor: Redactor,
): Broom {
  const { codeHosting } = target
  const secrets = secretsOf(target)
  const run = createRun({
    runId: 'sweep',
    version,
    target,
    secrets,
    embedded: false,
    selected: [],
  })
  let failure: unknown
  const client = createCodeHostingClient(
    codeHosting.baseUrl,
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
  const patience = {
    settings: { target },
    redactor: run.redactor,
    wait: (milliseconds: number) => delay(milliseconds),
  }
  const deletion = createTokenDeletion(patience, codeHosting, client)
  const owners = ownersOf(codeHosting)
  for (const { username, password, prefix } of owners) {
    redactor.addBasic(username, `${prefix}_PASSWORD`, password)
  }
  const refusedPasswords = new Map<string, string>()
  let unreachable: string | undefined

  async function sweepOne(creation: Creation): Promise<Swept> {
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
    const outcome = await deletion.remove(creation, { credentials }, path)
    if (outcome.outcome === 'deleted') return { creation, outcome: 'removed' }
    if (outcome.outcome === 'absent') return { creation, outcome: 'gone' }
    if (outcome.status === undefined) {
      unreachable = redactor.redact(
        unansweredReason(failure ?? new Error(outcome.reason), codeHosting.baseUrl),
      )
      return left(unreachable)
    }
    if (outcome.status !== 401) return left(outcome.reason)
    const secret = codeHosting.otp?.username === account ? ' and CODE_HOSTING_OTP_SECRET' : ''
    const reason =
      `the service refused the credentials of ${account} (401): correct ` +
      `${owner.prefix}_PASSWORD${secret}, and sweep again`
    refusedPasswords.set(account, reason)
    return { ...left(reason), unauthorized: true }
  }

  return {
    async sweep(creations) {
      const swept: Swept[] = []
      for (const creation of creations) swept.push(await sweepOne(creation))
      return swept
    },
    close: () => run.close(),
  }
}
