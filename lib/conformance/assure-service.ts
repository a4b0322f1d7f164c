import type { Exchange } from '../probe/exchange.ts'
import { TransportError } from '../probe/exchange.ts'
import { Inconclusive, inconclusive, Skip } from './outcome.ts'

function isWebPage({ status, headers }: Exchange): boolean {
  return status < 400 && /^text\/html\b/i.test(headers.get('content-type') ?? '')
}

/** The response, unless what came in its place says nothing or that somebody is there. */
async function answerTo(
  request: () => Promise<Exchange>,
  baseUrl: string,
  variable: string,
): Promise<Exchange | 'nothing' | 'somebody'> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof Skip) return 'nothing'
    // A gateway's answer says that somebody is there, and nothing about the other requests.
    if (error instanceof Inconclusive && error.exchange !== undefined) return 'somebody'
    if (error instanceof Inconclusive && error.cause instanceof TransportError) {
      inconclusive(
        `${baseUrl} cannot be reached: ${error.message}. Is the server up, and is ${variable} right?`,
      )
    }
    throw error
  }
}

/**
 * Looks whether a service answers at a base URL at all, by requests that checks need anyway. Each is
 * sent only where those before it led to a web page, which may be one to sign in at. A request that
 * cannot be made says nothing.
 *
 * @throws Inconclusive when the host cannot be reached, or answers with nothing but web pages
 */
export async function assureService(
  baseUrl: string,
  variable: string,
  ...requests: readonly (() => Promise<Exchange>)[]
): Promise<void> {
  let page: Exchange | undefined
  for (const request of requests) {
    const answer = await answerTo(request, baseUrl, variable)
    if (answer === 'nothing') continue
    if (answer === 'somebody' || !isWebPage(answer)) return
    page ??= answer
    if (page.status < 300) break
  }
  if (page === undefined) return
  const { method, url } = page.record.request
  inconclusive(
    `${baseUrl} does not answer like the service: ${method} ${url} gave status ` +
      `${page.status} and a web page. ${variable} is the address below which /v1 lies.`,
  )
}
