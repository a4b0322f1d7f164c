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

/**
 * What to look at then, with a space in front. Where a certificate is in the way, the server is up, and
 * the reason says what to do.
 *
 * @param variable that holds the address
 */
export function unansweredQuestion(errors: readonly TransportError[], variable: string): string {
  return errors.some(({ distrusted }) => distrusted)
    ? ''
    : ` Is the server up, and is ${variable} right?`
}
