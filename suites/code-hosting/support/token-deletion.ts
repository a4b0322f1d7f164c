import { setTimeout as delay } from 'node:timers/promises'
import {
  isAnswerLost,
  type RetrySettings,
  untilAnswered,
} from '../../../lib/conformance/lost-answers.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { currentCode, untilNextStep } from './one-time-code.ts'

/** What has served its purpose may wait until nothing else does. */
const LAST_PRIORITY = -1

/** Steps in which a one-time code is tried, where other programs use up codes of the account too. */
const MOST_STEPS = 6

/** Seconds into a step: later than those come who ask for a token, so that they go first. */
const LATE_IN_STEP_SECONDS = 15

/**
 * What came of it: `absent` where the service knows no such token, `refused` with a reason. Without a
 * status there was no answer of the service.
 */
export type TokenDeletion =
  | { outcome: 'deleted' }
  | { outcome: 'absent' }
  | { outcome: 'refused'; reason: string; status?: number }

/** Deletes tokens by the path that the operator tells. */
export interface TokenDeleting {
  /**
   * Deletes one token. A deletion whose answer is lost is repeated; it never throws.
   *
   * @param token its name, and the login name of its account
   * @param owner that account
   * @param path of `CODE_HOSTING_TOKEN_DELETE_PATH`
   */
  remove(
    token: { name: string; account: string },
    owner: { credentials: Credentials },
    path: string,
  ): Promise<TokenDeletion>
}

/** Which status a request without its one-time code gets is told nowhere. */
function mayNeedCode({ status }: Exchange): boolean {
  return status >= 400 && status < 500 && status !== 404
}

/** @param run what a run has for it, or what stands in its place */
export function createTokenDeletion(
  run: RetrySettings & Pick<Run, 'redactor'>,
  target: Pick<CodeHostingTarget, 'otp'>,
  client: Pick<CodeHostingClient, 'undocumented'>,
): TokenDeleting {
  async function removed(
    { name, account }: { name: string; account: string },
    credentials: Credentials,
    path: string,
  ): Promise<TokenDeletion> {
    const request = {
      method: 'DELETE',
      body: null,
      path: path
        .replaceAll('{username}', encodeURIComponent(account))
        .replaceAll('{name}', encodeURIComponent(name)),
    }
    let lost = false
    // What was made has to be taken away even after the run was interrupted.
    const retry = { settings: run.settings, wait: (milliseconds: number) => delay(milliseconds) }
    const send = (code: () => string | undefined) =>
      untilAnswered(retry, async () => {
        try {
          return await client.undocumented(request, {
            credentials,
            oneTimeCode: code(),
            priority: LAST_PRIORITY,
          })
        } catch (error) {
          lost ||= isAnswerLost(error)
          throw error
        }
      })

    let exchange = await send(() => undefined)
    const secret = account === target.otp?.username ? target.otp?.secret : undefined
    for (let step = 1; secret !== undefined && step <= MOST_STEPS; step += 1) {
      if (!mayNeedCode(exchange)) break
      if (step > 1) await run.wait(untilNextStep() + LATE_IN_STEP_SECONDS * 1000)
      exchange = await send(() => currentCode(run, secret))
    }
    const { status } = exchange
    if (status >= 200 && status < 300) return { outcome: 'deleted' }
    if (status === 404) return { outcome: lost ? 'deleted' : 'absent' }
    return { outcome: 'refused', status, reason: `the service answered with ${status}` }
  }

  return {
    async remove(token, { credentials }, path) {
      try {
        return await removed(token, credentials, path)
      } catch (error) {
        return { outcome: 'refused', reason: (error as Error).message }
      }
    },
  }
}
