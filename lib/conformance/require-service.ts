import { type Exchange, TransportError } from '../probe/exchange.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import { Inconclusive, inconclusive, Skip } from './outcome.ts'

/**
 * What to say of a server of which no response could be had: completes its address. Where something
 * came that could not be read, the server is there.
 */
export function unansweredWords(errors: readonly TransportError[]): string {
  return errors.some(({ kind }) => kind === 'unreadable')
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
  return errors.some(({ kind }) => kind === 'certificate')
    ? ''
    : ` Is the server up, and is ${variable} right?`
}

function isWebPage({ status, headers }: Exchange): boolean {
  return status < 400 && /^text\/html\b/i.test(headers.get('content-type') ?? '')
}

/** A redirect to wherever. */
function leadsAway({ status, headers }: Exchange): boolean {
  return status >= 300 && status < 400 && headers.has('location')
}

/** The response, which may be one of a gateway; nothing where the request cannot be made. */
async function answerTo(
  request: () => Promise<Exchange>,
  baseUrl: string,
  variable: string,
): Promise<Exchange | undefined> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof Skip) return undefined
    if (error instanceof Inconclusive && error.exchange !== undefined) return error.exchange
    if (error instanceof Inconclusive && error.cause instanceof TransportError) {
      const errors = [error.cause]
      inconclusive(
        `${baseUrl} ${unansweredWords(errors)}: ${error.message}.` +
          unansweredQuestion(errors, variable),
      )
    }
    throw error
  }
}

/**
 * Looks whether a service answers at a base URL at all, by requests that checks need anyway. Each is
 * sent only where those before it led to a web page, which may be one to sign in at, or to a gateway,
 * whose status may also be a refusal. A request that cannot be made says nothing.
 *
 * @throws Inconclusive when the host cannot be reached, answers with nothing but web pages, or has a
 *   gateway that answers, or a redirect that leads away, in its place
 */
export async function requireService(
  baseUrl: string,
  variable: string,
  ...requests: readonly (() => Promise<Exchange>)[]
): Promise<void> {
  const pages: Exchange[] = []
  const redirects: Exchange[] = []
  const gateway: Exchange[] = []
  for (const request of requests) {
    const answer = await answerTo(request, baseUrl, variable)
    if (answer === undefined) continue
    if (isGatewayStatus(answer.status)) gateway.push(answer)
    else if (isWebPage(answer)) pages.push(answer)
    else if (leadsAway(answer)) redirects.push(answer)
    else return
    if (answer.status < 300) break
  }
  const [redirect, another] = redirects
  // One of them alone may be how the service refuses that request.
  if (redirect !== undefined && another !== undefined) {
    const { method, url } = redirect.record.request
    inconclusive(
      `${baseUrl} does not answer like the service: ${method} ${url} gave status ` +
        `${redirect.status} and a redirect to ${redirect.headers.get('location')}, which is not ` +
        `followed. ${variable} is the address below which /v1 lies.`,
    )
  }
  const [page] = pages
  if (page !== undefined && gateway.length === 0) {
    const { method, url } = page.record.request
    inconclusive(
      `${baseUrl} does not answer like the service: ${method} ${url} gave status ` +
        `${page.status} and a web page. ${variable} is the address below which /v1 lies.`,
    )
  }
  // The same goes for a gateway.
  const [first, other] = gateway
  if (first === undefined || other === undefined || page !== undefined) return
  const { method, url } = first.record.request
  inconclusive(
    `${baseUrl} gives no answer of its own: ${method} ${url} was answered with ${first.status}, ` +
      `which a gateway may have sent. Is the server up, and is ${variable} right?`,
  )
}
