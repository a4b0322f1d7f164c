import type { Exchange } from '../probe/exchange.ts'
import { inconclusiveResponse, Skip, skipWithoutControl } from './check-errors.ts'
import { allOrWorst } from './each.ts'
import { noteLeftOut } from './evidence-scope.ts'
import { expect, isSuccess } from './matchers.ts'

/** A refusal and its control: two requests that differ in the offending part alone. */
export interface Contrast {
  /** Must succeed. Throws `Skip` when it cannot be made. */
  control: () => Promise<Exchange>
  refused: () => Promise<Exchange>
  /** What the refusal must look like; left out when any refusal will do. */
  as?: (refusal: Exchange) => void
  /** A server error is a refusal too, where the document shows none of the statuses. */
  serverErrorRefuses?: boolean
}

export { isSuccess }

/** @throws Skip when there is no control */
function expectControl(control: PromiseSettledResult<Exchange>): void {
  if (control.status === 'rejected') {
    const { reason } = control
    if (!(reason instanceof Skip)) throw reason
    throw new Skip({ ...reason.reason, control: true })
  }
  const { value } = control
  if (isSuccess(value)) return
  if (value.status >= 500) inconclusiveResponse('the control had trouble', value)
  skipWithoutControl(undefined, value)
}

/**
 * What is accepted although it should be refused fails in any case; a refusal counts only when the
 * control succeeds.
 *
 * @throws Skip when there is no control, Inconclusive for a server error that nothing explains
 */
export async function contrast({
  control,
  refused,
  as,
  serverErrorRefuses = false,
}: Contrast): Promise<void> {
  // A request that cannot be made may say so at once.
  const sent = async (send: () => Promise<Exchange>) => send()
  const [controlOutcome, refusal] = await Promise.allSettled([sent(control), sent(refused)])
  if (refusal.status === 'rejected') throw refusal.reason
  if (isSuccess(refusal.value)) {
    as?.(refusal.value)
    expect(refusal.value).toBeRefused()
  }
  expectControl(controlOutcome)
  if (as !== undefined) {
    as(refusal.value)
  } else if (refusal.value.status >= 500 && !serverErrorRefuses) {
    inconclusiveResponse('a server error is no refusal', refusal.value)
  }
}

/** Notes those with another status: it is another requirement's business. @throws Skip if all have */
export async function responsesWithStatus(
  status: number,
  requests: readonly (Exchange | Promise<Exchange>)[],
): Promise<Exchange[]> {
  const responses = await allOrWorst(requests)
  const others = responses.filter((response) => response.status !== status)
  const exchanges = others.map(({ id }) => id)
  const reason = { kind: 'not observed', status, exchanges } as const
  if (others.length === responses.length) throw new Skip(reason)
  if (others.length > 0) noteLeftOut('What has another status', reason)
  return responses.filter((response) => response.status === status)
}
