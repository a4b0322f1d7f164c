import { type Exchange, TransportError } from '../probe/exchange.ts'
import type { NoServiceReason } from '../results/reason.ts'
import { checkSettings, Inconclusive, Skip } from './check-errors.ts'

type Instead = NoServiceReason['instead']

function insteadOf({ cause }: Inconclusive): Instead {
  if (!(cause instanceof TransportError)) return 'gateway'
  return cause.kind === 'unreadable' || cause.kind === 'certificate' ? cause.kind : 'nothing'
}

/** Where something came that cannot be read, or a certificate is in the way, the server is there. */
export function failUnreachable(
  baseUrl: string,
  variable: string,
  failures: readonly [Inconclusive, ...Inconclusive[]],
): never {
  const seen = failures.map(insteadOf)
  const order: readonly Instead[] = ['gateway', 'unreadable', 'certificate']
  const instead = order.find((one) => seen.includes(one)) ?? 'nothing'
  const because = failures[0].reason
  throw new Inconclusive({ kind: 'no service', baseUrl, variable, instead, because })
}

type Stranger = 'gateway' | 'page' | 'redirect'

/** Returns what answered instead of a service; undefined for what may be a response of its own. */
export function classifyIntermediary({ status, origin, headers }: Exchange): Stranger | undefined {
  if (origin.by !== 'service') return 'gateway'
  if (status >= 400) return undefined
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) return 'page'
  return status >= 300 && headers.has('location') ? 'redirect' : undefined
}

/** Base URL of a service, the variable that holds it, and the path of the service below it. */
export interface ServiceAddress {
  baseUrl: string
  variable: string
  path: string
}

/**
 * Looks whether a service answers at a base URL at all, by requests that checks need anyway. Each is
 * sent only where those before it led to a web page, which may be one to sign in at, or to a gateway,
 * whose status may also be a refusal.
 */
export async function requireService(
  { baseUrl, variable, path }: ServiceAddress,
  ...requests: readonly (() => Promise<Exchange>)[]
): Promise<void> {
  const seen: Record<Stranger, Exchange[]> = { gateway: [], page: [], redirect: [] }
  for (const request of requests) {
    const answer = await request().catch((error: unknown) => {
      if (error instanceof Skip) return undefined
      if (!(error instanceof Inconclusive)) throw error
      if (error.exchange === undefined && error.cause instanceof TransportError) {
        failUnreachable(baseUrl, variable, [error])
      }
      if (error.exchange === undefined) throw error
      return error.exchange
    })
    if (answer === undefined) continue
    const stranger = classifyIntermediary(answer)
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
    checkSettings(
      [variable],
      `${baseUrl} does not answer like the service, and is to be the address below which ${path} lies: ` +
        `${method} ${url} gave status ${shown.status} and ${what}`,
      shown,
    )
  }
  const [first] = gateway
  if (first === undefined || gateway.length === 1 || page.length > 0) return
  const { id: exchange, status } = first
  failUnreachable(baseUrl, variable, [new Inconclusive({ kind: 'gateway', exchange, status })])
}
