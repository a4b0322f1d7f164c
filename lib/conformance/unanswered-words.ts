import type { TransportError } from '../probe/exchange.ts'

/**
 * What to say of a server of which no response could be had: completes its address. Where something
 * came that could not be read, the server is there.
 */
export function unansweredWords(errors: readonly TransportError[]): string {
  return errors.some(({ unreadable }) => unreadable)
    ? 'gives no answer that can be read'
    : 'cannot be reached'
}
