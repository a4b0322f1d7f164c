import type { ResponseParts } from '../http/response-parts.ts'
import type { IncomingRequest } from '../http/route.ts'
import type { MakeIntermediary, Variant } from '../variant.ts'

const body = 'code-hosting/errors/body/gateway-responses'

function gatewayParts(status: number, retryAfter?: string): ResponseParts {
  const headers = new Headers({ 'Content-Type': 'text/html', Server: 'gateway' })
  if (retryAfter !== undefined) headers.set('Retry-After', retryAfter)
  return { status, headers, body: '<!doctype html><title>Not now</title>' }
}

function identity({ method, url, headers }: IncomingRequest): string {
  return JSON.stringify([method, url.href, [...headers]])
}

/** Every so many requests of the method get an answer of the gateway, no request two of them. */
function nowAndThen(
  method: string,
  every: number,
  answers: readonly ResponseParts[],
): MakeIntermediary {
  return () => {
    const hit = new Set<string>()
    let requests = 0
    return async (request, answer) => {
      if (request.method === method) requests += 1
      const due = request.method === method && requests % every === 0
      const parts = answers[hit.size % answers.length]
      if (!due || parts === undefined || hit.has(identity(request))) return answer(request)
      hit.add(identity(request))
      return parts
    }
  }
}

/** Every third POST that a service accepts is done, and its answer does not arrive. */
const answersLost: MakeIntermediary = () => {
  const accepted = new Map<string, number>()
  return async (request, answer) => {
    const parts = await answer(request)
    if (request.method !== 'POST' || parts.status >= 300) return parts
    const [, , service = ''] = request.url.pathname.split('/')
    const count = (accepted.get(service) ?? 0) + 1
    accepted.set(service, count)
    return count % 3 === 0 ? gatewayParts(504) : parts
  }
}

/** A gateway before all services that answers in their place now and then. */
export const gatewayVariants: readonly Variant[] = [
  {
    name: 'too-many-requests-now-and-then',
    tolerances: [body],
    intermediary: nowAndThen('GET', 20, [gatewayParts(429, '0')]),
  },
  {
    name: 'too-many-requests-for-a-second',
    tolerances: [body],
    intermediary: nowAndThen('GET', 60, [gatewayParts(429, '1')]),
  },
  {
    name: 'unavailable-now-and-then',
    tolerances: [body],
    intermediary: nowAndThen('GET', 20, [gatewayParts(502), gatewayParts(503), gatewayParts(504)]),
  },
  { name: 'answers-lost', intermediary: answersLost },
]
