import type { Exchange } from '../probe/exchange.ts'
import { inconclusiveResponse, Skip, skipWithoutControl } from './check-errors.ts'
import { expect, isSuccess } from './matchers.ts'

/** Negative request and its control, which differ only in the offending part. */
export interface Contrast {
  /** Must succeed. Throws `Skip` if it cannot be sent. */
  control: () => Promise<Exchange>
  negative: () => Promise<Exchange>
  /** Returns true for a response to the control that shows access; a success by default. */
  isPermitted?: (control: Exchange) => boolean
  /** Asserts the form of the rejection; undefined if any rejection passes. */
  assertRejection?: (rejection: Exchange) => void
  /** True if a server error is a rejection too, because the document states no statuses. */
  serverErrorRejects?: boolean
}

/** @throws Skip if the control did not succeed */
function expectControl(
  control: PromiseSettledResult<Exchange>,
  isPermitted: (control: Exchange) => boolean = isSuccess,
): void {
  if (control.status === 'rejected') {
    const { reason } = control
    if (!(reason instanceof Skip)) throw reason
    throw new Skip({ ...reason.reason, control: true })
  }
  const { value } = control
  if (isPermitted(value)) return
  if (value.status >= 500) inconclusiveResponse('the control failed with a server error', value)
  skipWithoutControl(undefined, value)
}

/** Waits for a request that must succeed before another is sent. @throws Skip if it did not succeed */
export async function requireControl(control: () => Promise<Exchange>): Promise<void> {
  const [outcome] = await Promise.allSettled([control()])
  expectControl(outcome)
}

/**
 * Fails if the negative request is accepted. A rejection passes only if the control succeeds.
 * @throws Skip if the control did not succeed, Inconclusive for an unexplained server error
 */
export async function contrast({
  control,
  negative,
  isPermitted,
  assertRejection,
  serverErrorRejects,
}: Contrast): Promise<void> {
  // A request that cannot be sent may throw synchronously.
  const sent = async (send: () => Promise<Exchange>) => send()
  const [controlOutcome, outcome] = await Promise.allSettled([sent(control), sent(negative)])
  if (outcome.status === 'rejected') throw outcome.reason
  const response = outcome.value
  const assert = () => {
    assertRejection?.(response)
    if (isSuccess(response)) expect(response).toBeRejected()
  }
  if (isSuccess(response)) assert()
  expectControl(controlOutcome, isPermitted)
  assert()
  if (assertRejection === undefined && response.status >= 500 && !serverErrorRejects) {
    inconclusiveResponse('a server error is not a rejection', response)
  }
}

/** Returns the response if it has this status. @throws Skip otherwise */
export async function requireStatus(
  status: number,
  request: Exchange | Promise<Exchange>,
): Promise<Exchange> {
  const response = await request
  if (response.status === status) return response
  throw new Skip({ kind: 'not observed', status, exchanges: [response.id] })
}
