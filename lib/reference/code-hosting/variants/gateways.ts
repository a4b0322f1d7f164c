import type { ResponseParts } from '../../http/response-parts.ts'
import { failingOnce } from '../failing-once.ts'
import type { RuleChange } from '../rules.ts'
import type { Variant } from '../variant.ts'

const body = 'code-hosting/errors/body/gateway-responses'
const rateLimits = 'code-hosting/errors/no-rate-limit-headers'

/** The first request for the listing is answered by a gateway, all others by the service. */
function answeredOnce(
  status: number,
  retryAfterSeconds: number,
  further: Readonly<Record<string, string>> = {},
): RuleChange {
  return (rules) => {
    let answered = false
    return {
      ...rules,
      begin: (context): ReturnType<typeof rules.begin> => {
        if (answered || context.endpoint !== 'user-repositories') return rules.begin(context)
        answered = true
        const headers = new Headers({
          'Content-Type': 'text/html',
          'Retry-After': String(retryAfterSeconds),
          ...further,
        })
        const parts: ResponseParts = { status, headers, body: '<h1>Not now</h1>' }
        return parts
      },
    }
  }
}

/** A server or a gateway before it that is in trouble for a moment. */
export const gatewayVariants: readonly Variant[] = [
  {
    name: 'server-error-once',
    change: failingOnce('user-repositories', 'the database is locked'),
  },
  { name: 'gateway-unavailable-once', tolerances: [body], change: answeredOnce(503, 0) },
  { name: 'too-many-requests-once', tolerances: [body], change: answeredOnce(429, 1) },
  {
    name: 'rate-limit-told-once',
    tolerances: [body, `${rateLimits}/gateway-responses`],
    change: answeredOnce(429, 0, { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' }),
  },
  {
    name: 'gateway-rate-limits',
    tolerances: [`${rateLimits}/announced-gateway`],
    unjudged: [rateLimits],
    change: (rules) => ({
      ...rules,
      finish: async (parts, context) => {
        parts.headers.set('X-RateLimit-Limit', '5000')
        return rules.finish(parts, context)
      },
    }),
    environment: (environment) => ({
      ...environment,
      CODE_HOSTING_GATEWAY_RATE_LIMITS: 'true',
    }),
  },
]
