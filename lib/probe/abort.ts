import { setTimeout as delay } from 'node:timers/promises'

/** Creates a signal that aborts on timeout or with the caller's signal. `end` clears timer and listener. */
export function createDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const abortOnTimeout = () => controller.abort(new DOMException('Time is over', 'TimeoutError'))
  const timer = setTimeout(abortOnTimeout, timeoutMs).unref()
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

/** Rejects when the signal aborts, and removes its listener as soon as `work` settles. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectWithReason = () => reject(signal.reason)
    signal.addEventListener('abort', rejectWithReason, { once: true })
    if (signal.aborted) rejectWithReason()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectWithReason))
  })
}

/** Resolves to true after a delay, and to false as soon as the signal aborts. */
export const delayUnlessAborted = (milliseconds: number, signal?: AbortSignal): Promise<boolean> =>
  delay(milliseconds, true, { signal }).catch(() => false)
