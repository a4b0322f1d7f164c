import { type Exchange, TransportError } from '../probe/exchange.ts'
import type { NoServiceReason } from '../results/reason.ts'
import { checkSettings, Inconclusive, Skip } from './check-errors.ts'

function substituteIn({ cause, reason }: Inconclusive): NoServiceReason['instead'] {
  // The circuit breaker stopped requests that got no response.
  if (reason.kind === 'stopped') return 'nothing'
  if (!(cause instanceof TransportError)) return 'gateway'
  return cause.kind === 'unreadable' || cause.kind === 'certificate' ? cause.kind : 'nothing'
}

/** @throws Inconclusive for an interruption of the run, else with the most informative failure */
export function failUnreachable(
  baseUrl: string,
  variable: string,
  failures: readonly [Inconclusive, ...Inconclusive[]],
): never {
  const interrupted = failures.find(({ reason }) => reason.kind === 'interrupted')
  if (interrupted !== undefined) throw interrupted
  const substitutes = failures.map(substituteIn)
  const order = ['gateway', 'unreadable', 'certificate'] as const
  const instead = order.find((one) => substitutes.includes(one)) ?? 'nothing'
  const because = failures[0].reason
  throw new Inconclusive({ kind: 'no service', baseUrl, variable, instead, because })
}

type Intermediary = 'gateway' | 'page' | 'redirect'

/** Classifies a response of an intermediary; undefined if the service itself may have sent it. */
export function classifyIntermediary({ status, origin, headers }: Exchange) {
  if (origin.by !== 'service') return 'gateway'
  if (status >= 400) return undefined
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) return 'page'
  return status >= 300 && headers.has('location') ? 'redirect' : undefined
}

/** Cause of a rejection that no credentials of the service prevent. */
export const demandingGateway =
  'a gateway that requires header fields (PROBE_HEADERS) or a client certificate (PROBE_TLS_CERT)'

export interface ServiceAddress {
  baseUrl: string
  variable: string
  path: string
}

/** Verifies that a service responds at a base URL, by requests that checks send anyway, further ones after a possible rejection. */
export async function requireService(
  { baseUrl, variable, path }: ServiceAddress,
  ...requests: readonly (() => Promise<Exchange>)[]
): Promise<void> {
  const responses: Record<Intermediary, Exchange[]> = { gateway: [], page: [], redirect: [] }
  for (const request of requests) {
    const response = await request().catch((error: unknown) => {
      if (error instanceof Skip) return undefined
      if (!(error instanceof Inconclusive)) throw error
      if (error.exchange !== undefined) return error.exchange
      if (error.cause instanceof TransportError) failUnreachable(baseUrl, variable, [error])
      throw error
    })
    if (response === undefined) continue
    const intermediary = classifyIntermediary(response)
    if (intermediary === undefined) return
    responses[intermediary].push(response)
    if (response.status < 300) break
  }
  const { gateway, page, redirect } = responses
  // A single redirect, or a single gateway response, may be a rejection of that request.
  const [shown] = redirect.length > 1 ? redirect : gateway.length === 0 ? page : []
  if (shown !== undefined) {
    const { method, url } = shown.record.request
    const content = redirect.includes(shown)
      ? `a redirect to ${shown.headers.get('location')}, which is not followed`
      : 'a web page'
    checkSettings(
      [variable],
      `the server at ${baseUrl} does not respond like the service, which has ${path} below this URL: ` +
        `${method} ${url} returned status ${shown.status} and ${content}`,
      shown,
    )
  }
  const [first] = gateway
  if (first === undefined || gateway.length === 1 || page.length > 0) return
  const { id: exchange, status } = first
  failUnreachable(baseUrl, variable, [new Inconclusive({ kind: 'gateway', exchange, status })])
}
