import type { RunReport } from '../conformance/result.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { serviceName } from '../reports/run-words.ts'
import { codeHostingEndpoints } from '../services/code-hosting.ts'
import { eventPublishingEndpoints } from '../services/event-publishing.ts'
import { incidentStatusEndpoints } from '../services/incident-status.ts'

interface Template {
  /** `GET /api/v1/repos/{owner}/{repo}` */
  name: string
  method: string
  segments: string[]
}

function template(name: string): Template {
  const [method = '', path = ''] = name.split(' ')
  return { name, method, segments: path.split('/') }
}

const documented: Record<string, Template[]> = Object.fromEntries(
  Object.entries({
    'code-hosting': codeHostingEndpoints,
    'event-publishing': eventPublishingEndpoints,
    'incident-status': incidentStatusEndpoints,
  }).map(([service, endpoints]) => [service, Object.values(endpoints).map(template)]),
)

function fits(segments: readonly string[], pattern: readonly string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  )
}

/** A path that no document shows, with a placeholder for each segment that looks like a name. */
function guessed(segments: readonly string[]): string {
  return segments
    .map((segment) => (/\d/.test(segment) && !/^v\d+$/.test(segment) ? '{…}' : segment))
    .join('/')
}

/**
 * Tells the endpoint that an exchange of a report went to: its method and the template of its path
 * below the base URL of the service. `undefined` for a URL that is none, or is elsewhere.
 */
export function endpointReader(
  target: RunReport['target'],
): (exchange: ExchangeRecord) => string | undefined {
  const prefixes = new Map(
    Object.entries(target).flatMap(([key, { baseUrl }]): [string, URL][] =>
      URL.canParse(baseUrl) ? [[serviceName(key), new URL(baseUrl)]] : [],
    ),
  )
  return ({ service, request }) => {
    const base = prefixes.get(service)
    if (base === undefined || !URL.canParse(request.url)) return undefined
    const { origin, pathname } = new URL(request.url)
    const prefix = base.pathname.replace(/\/+$/, '')
    if (origin !== base.origin || !pathname.startsWith(`${prefix}/`)) return undefined
    const segments = pathname.slice(prefix.length).split('/')
    const known = Object.hasOwn(documented, service) ? documented[service] : undefined
    const match = known?.find(
      ({ method, segments: pattern }) => method === request.method && fits(segments, pattern),
    )
    return match?.name ?? `${request.method} ${guessed(segments)}`
  }
}
