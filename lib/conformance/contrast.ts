import type { Exchange } from '../probe/exchange.ts'
import { expect } from './matchers.ts'
import { Skip, skip } from './outcome.ts'

/** A refusal and its control: two requests that differ in the offending part alone. */
export interface Contrast {
  /** The request that must succeed. Throws `Skip` when it cannot be made. */
  control: () => Promise<Exchange>
  /** The request that must be refused. */
  refused: () => Promise<Exchange>
  /** What the refusal must look like; left out when any refusal will do. */
  as?: (refusal: Exchange) => void
}

export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300
}

type Settled<T> = { value: T } | { error: unknown }

async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}

function noControl(control: Settled<Exchange>): string | undefined {
  if ('value' in control) {
    const { value } = control
    if (isSuccess(value)) return undefined
    const { method, url } = value.record.request
    return `no control: ${method} ${url}, which should succeed, was answered with ${value.status}`
  }
  if (control.error instanceof Skip) return `no control: ${control.error.message}`
  throw control.error
}

/**
 * Judges a refusal beside its control. What is accepted although it should be refused fails in any
 * case; a refusal counts only when the control succeeds.
 *
 * @throws Skip when there is no control, and a failed expectation when the refusal is not as stated
 */
export async function contrast({ control, refused, as }: Contrast): Promise<void> {
  const [controlOutcome, refusal] = await Promise.all([settle(control), settle(refused)])
  if ('error' in refusal) throw refusal.error
  if (isSuccess(refusal.value)) {
    as?.(refusal.value)
    expect(refusal.value).toBeRefused()
  }
  const missing = noControl(controlOutcome)
  if (missing !== undefined) skip(missing)
  as?.(refusal.value)
}
