import type { Exchange } from '../probe/exchange.ts'
import { TransportError } from '../probe/exchange.ts'
import { Inconclusive, inconclusive, Skip } from './outcome.ts'

/**
 * Looks whether a service answers at a base URL at all, by one request that checks need anyway. A
 * request that cannot be made says nothing.
 *
 * @throws Inconclusive when the host cannot be reached, or answers with a web page
 */
export async function assureService(
  baseUrl: string,
  variable: string,
  request: () => Promise<Exchange>,
): Promise<void> {
  let exchange: Exchange
  try {
    exchange = await request()
  } catch (error) {
    // A gateway's answer says that somebody is there, and nothing about the other requests.
    if (error instanceof Skip) return
    if (error instanceof Inconclusive && error.exchange !== undefined) return
    if (error instanceof Inconclusive && error.cause instanceof TransportError) {
      inconclusive(
        `${baseUrl} cannot be reached: ${error.message}. Is the server up, and is ${variable} right?`,
      )
    }
    throw error
  }
  const type = exchange.headers.get('content-type') ?? ''
  if (exchange.status < 400 && /^text\/html\b/i.test(type)) {
    const { method, url } = exchange.record.request
    inconclusive(
      `${baseUrl} does not answer like the service: ${method} ${url} gave status ` +
        `${exchange.status} and a web page. ${variable} is the address below which /v1 lies.`,
    )
  }
}
