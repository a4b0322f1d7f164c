/** Controls: requests that must succeed for a rejection to show something. */
import type { Exchange } from '../probe/exchange.ts'
import { inconclusiveResponse, Skip, skipWithoutControl } from './check-errors.ts'
import { expect, isSuccess } from './matchers.ts'

/** Waits for a request that must succeed for another one to show something. @throws Skip if it did not succeed */
export async function requireControl(
  control: () => Promise<Exchange>,
  isServed: (response: Exchange) => boolean | Promise<boolean> = isSuccess,
): Promise<void> {
  const response = await control().catch((error: unknown) => {
    throw error instanceof Skip ? new Skip({ ...error.reason, control: true }) : error
  })
  if (await isServed(response)) return
  if (response.status >= 500)
    inconclusiveResponse('the control failed with a server error', response)
  skipWithoutControl(undefined, response)
}

/** Fails if a request is accepted. A rejection passes only if its control, without the offending part, succeeds. @throws Skip if not, Inconclusive for a server error */
export async function contrast(send: () => Promise<Exchange>, control: () => Promise<Exchange>) {
  const [controlled, sent] = await Promise.allSettled([requireControl(control), send()])
  if (sent.status === 'rejected') throw sent.reason
  expect(sent.value).toBeRejected()
  if (controlled.status === 'rejected') throw controlled.reason
  if (sent.value.status >= 500)
    inconclusiveResponse('a server error is not a rejection', sent.value)
}

/** Returns the response if it has this status. @throws Skip otherwise */
export async function requireStatus(status: number, request: Exchange | Promise<Exchange>) {
  const response = await request
  if (response.status === status) return response
  throw new Skip({ kind: 'not observed', status, exchanges: [response.id] })
}
