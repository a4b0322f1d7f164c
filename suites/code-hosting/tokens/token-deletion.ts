import { setTimeout as delay } from 'node:timers/promises'
import type { Inconclusive } from '../../../lib/conformance/check-errors.ts'
import { messageOf } from '../../../lib/conformance/describe-exchange.ts'
import { createRun, type Run } from '../../../lib/conformance/probe-run.ts'
import {
  isResponseLost,
  type RetrySettings,
  retryLostResponse,
} from '../../../lib/conformance/retry-lost-responses.ts'
import type { Target } from '../../../lib/environment/target.ts'
import { type CreatedResource, UNNAMED } from '../../../lib/ledger/ledger.ts'
import type { Sweeper, Sweeping, SweepingOptions, Swept } from '../../../lib/ledger/sweeper.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { reasonText } from '../../../lib/reports/reason-text.ts'
import { serviceIn } from '../../service.ts'
import { CodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { oneTimeCode, untilNextStep } from './one-time-code.ts'

const LAST_PRIORITY = -1

/** Maximum number of steps in which a one-time code is tried, since other programs may use codes. */
const MAX_STEPS = 6

/** Seconds into a step at which a deletion is sent, after the token requests of other runs. */
const DELETION_SECONDS_INTO_STEP = 15

const isSameRejection = (one: Exchange, other: Exchange) =>
  one.status === other.status && messageOf(one) === messageOf(other)

export type TokenDeletion =
  | { outcome: 'deleted' }
  /** Not found after a request without a response, which may have deleted it. */
  | { outcome: 'gone' }
  | { outcome: 'absent' }
  | { outcome: 'rejected'; status: number }
  | { outcome: 'failed'; error: unknown }

/** Deletes a token by the configured path and retries lost responses. Never throws. */
export async function deleteToken(
  run: RetrySettings & Pick<Run, 'redactor'>,
  { otp, tokenDeletePath = '' }: Pick<CodeHostingTarget, 'otp' | 'tokenDeletePath'>,
  client: Pick<CodeHostingClient, 'undocumented'>,
  { name, account }: { name: string; account: string },
  credentials: Credentials,
): Promise<TokenDeletion> {
  const path = tokenDeletePath
    .replaceAll('{username}', encodeURIComponent(account))
    .replaceAll('{name}', encodeURIComponent(name))
  // Deletions are sent even after the run was interrupted.
  const retry = { settings: run.settings, wait: (milliseconds: number) => delay(milliseconds) }
  let lost = false

  const send = (code?: () => string) =>
    retryLostResponse(retry, async () => {
      try {
        const options = { credentials, oneTimeCode: code?.(), priority: LAST_PRIORITY }
        return await client.undocumented({ method: 'DELETE', path, body: null }, options)
      } catch (error) {
        lost ||= isResponseLost(error)
        throw error
      }
    })

  try {
    const withoutCode = await send()
    let { status } = withoutCode
    const secret = account === otp?.username ? otp.secret : undefined
    for (let step = 1; secret !== undefined && step <= MAX_STEPS; step += 1) {
      // The status of a request without its one-time code is not documented.
      if (status < 400 || status >= 500 || status === 404) break
      if (step > 1) await run.wait(untilNextStep() + DELETION_SECONDS_INTO_STEP * 1000)
      const response = await send(() => oneTimeCode(run, secret))
      status = response.status
      // Two codes changed nothing, so the server rejects the credentials.
      if (step > 1 && isSameRejection(response, withoutCode)) break
    }
    if (status >= 200 && status < 300) return { outcome: 'deleted' }
    if (status === 404) return { outcome: lost ? 'gone' : 'absent' }
    return { outcome: 'rejected', status }
  } catch (error) {
    return { outcome: 'failed', error }
  }
}

/** Returns the accounts with a configured password, and its variable. */
function ownersOf({ username, password, other, otp, admin }: CodeHostingTarget) {
  const main = username && password ? { username, password } : undefined
  const accounts = Object.entries({ '': main, OTHER_: other, OTP_: otp, ADMIN_: admin })
  return accounts.flatMap(([role, account]) =>
    account === undefined ? [] : [{ ...account, variable: `CODE_HOSTING_${role}PASSWORD` }],
  )
}

function open(target: Target, { version, secrets, redactor }: SweepingOptions): Sweeping {
  const codeHosting = serviceIn(target, 'codeHosting')
  const { baseUrl, otp, tokenDeletePath } = codeHosting
  if (tokenDeletePath === undefined) throw new Error('there is no path to delete tokens')
  const run = createRun({
    runId: 'sweep',
    version,
    target,
    secrets,
    embedded: false,
    selected: [],
    checks: [],
    documentsStatuses: ['code-hosting'],
  })
  const client = new CodeHostingClient(
    baseUrl,
    (request) => run.send('code-hosting', request),
    () => Promise.reject(new Error('a deletion names its account')),
  )
  const owners = ownersOf(codeHosting)
  for (const { username, password, variable } of owners) {
    redactor.addBasic(username, variable, password)
  }
  const keep = (reason: string) => ({ outcome: 'kept', reason }) as const
  /** Results that stop further requests, by account; with an empty name, for all accounts. */
  const stops = new Map<string, Omit<Swept, 'creation'>>()

  async function resultOf(creation: CreatedResource): Promise<Omit<Swept, 'creation'>> {
    const { name, account, unconfirmed } = creation
    if (name === UNNAMED) {
      const reason = unconfirmed
        ? 'no response confirmed that it was created, and a conforming service rejects it. If it exists, ' +
          'it is in the settings of the account'
        : 'the service created it without a name, so it cannot be deleted by name: delete it in the ' +
          'settings of the account, and then this ledger'
      return { outcome: unconfirmed ? 'notCreated' : 'kept', reason }
    }
    const owner = owners.find(({ username }) => username === account)
    if (owner === undefined) return keep(`no variable holds the password of ${account}`)
    const stop = stops.get(account) ?? stops.get('')
    if (stop !== undefined) return stop
    const credentials = basic(account, owner.password)
    const deleted = await deleteToken(run, codeHosting, client, creation, credentials)
    if (deleted.outcome === 'gone') return { outcome: 'deleted' }
    if (deleted.outcome === 'deleted' || deleted.outcome === 'absent') return deleted
    if (deleted.outcome === 'failed') {
      const { reason, exchange } = deleted.error as Inconclusive
      const request = exchange === undefined ? `${baseUrl} did not respond` : baseUrl
      const describeExchange = () => ({ request, status: String(exchange?.status) })
      const reported = reasonText(reason, describeExchange)
      const advice = 'Nothing more was sent: sweep again when it responds'
      const result = keep(redactor.redact(`${reported}. ${advice}`))
      stops.set('', result)
      return result
    }
    if (deleted.status !== 401) return keep(`the service returned ${deleted.status}`)
    const secret = otp?.username === account ? ' and CODE_HOSTING_OTP_SECRET' : ''
    const correct = `correct ${owner.variable}${secret}, and sweep again`
    const rejection = `the service refused the credentials of ${account} (401): ${correct}`
    const result = { ...keep(rejection), unauthorized: true } as const
    stops.set(account, result)
    return result
  }

  return {
    sweep: async (creation) => ({ creation, ...(await resultOf(creation)) }),
    close: () => run.close(),
  }
}

export const sweeper: Sweeper = {
  hint:
    'No token was found. If some still exist, CODE_HOSTING_TOKEN_DELETE_PATH is not their path: ' +
    'delete the tokens above by hand.',
  blocker(creations, { codeHosting }) {
    const other = creations.find(({ baseUrl }) => baseUrl !== codeHosting?.baseUrl)
    if (other !== undefined) {
      const configured = `CODE_HOSTING_BASE_URL is ${codeHosting?.baseUrl ?? 'not set'}`
      return (
        `The run made it at ${other.baseUrl}, and ${configured}: nothing was sent. Sweep again with ` +
        'the variables of that deployment.'
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
