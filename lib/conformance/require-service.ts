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
 */
export function unansweredQuestion(errors: readonly TransportError[], variable: string): string {
  return errors.some(({ kind }) => kind === 'certificate')
    ? ''
    : ` Is the server up, and is ${variable} right?`
}

/** What answers in the place of a service; `undefined` for what may be an answer of its own. */
function strangerIn({ status, headers }: Exchange): 'gateway' | 'page' | 'redirect' | undefined {
  if (isGatewayStatus(status)) return 'gateway'
  if (status >= 400) return undefined
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) return 'page'
  return status >= 300 && headers.has('location') ? 'redirect' : undefined
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
    if (!(error instanceof Inconclusive)) throw error
    if (error.exchange !== undefined) return error.exchange
    if (!(error.cause instanceof TransportError)) throw error
    const errors = [error.cause]
    const question = unansweredQuestion(errors, variable)
    inconclusive(`${baseUrl} ${unansweredWords(errors)}: ${error.message}.${question}`)
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
  const seen: Record<'gateway' | 'page' | 'redirect', Exchange[]> = {
    gateway: [],
    page: [],
    redirect: [],
  }
  for (const request of requests) {
    const answer = await answerTo(request, baseUrl, variable)
    if (answer === undefined) continue
    const stranger = strangerIn(answer)
    if (stranger === undefined) return
    seen[stranger].push(answer)
    if (answer.status < 300) break
  }
  const { gateway, page, redirect } = seen
  // One redirect alone may be how the service refuses that request, and so may one of a gateway.
  const [shown] = redirect.length > 1 ? redirect : gateway.length === 0 ? page : []
  if (shown !== undefined) {
    const { method, url } = shown.record.request
    const what = redirect.includes(shown)
      ? `a redirect to ${shown.headers.get('location')}, which is not followed`
      : 'a web page'
    inconclusive(
      `${baseUrl} does not answer like the service: ${method} ${url} gave status ` +
        `${shown.status} and ${what}. ${variable} is the address below which /v1 lies.`,
    )
  }
  const [first] = gateway
  if (first === undefined || gateway.length === 1 || page.length > 0) return
  const { method, url } = first.record.request
  inconclusive(
    `${baseUrl} gives no answer of its own: ${method} ${url} was answered with ${first.status}, ` +
      `which a gateway may have sent. Is the server up, and is ${variable} right?`,
  )
}
