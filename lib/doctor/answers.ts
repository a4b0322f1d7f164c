import { Inconclusive } from '../conformance/outcome.ts'
import { requireService } from '../conformance/require-service.ts'
import type { Exchange } from '../probe/exchange.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import type { Notes } from './examine.ts'

interface Place {
  baseUrl: string
  /** Says where the service is. */
  variable: string
}

type Ask = () => Promise<Exchange>

/** Whether a redirect leads to the same path below another base URL, such as https: that is noted. */
export function noteRedirect(
  { baseUrl, variable }: Place,
  { status, headers, request }: Exchange,
  notes: Notes,
): boolean {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return false
  if (!URL.canParse(location, request.url.href)) return false
  const target = new URL(location, request.url)
  const path = request.url.pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length)
  if (!/^https?:$/.test(target.protocol) || !target.pathname.endsWith(path)) return false
  const base = target.origin + target.pathname.slice(0, -path.length)
  if (base === baseUrl) return false
  notes.add(
    'configuration',
    `${baseUrl} redirects to ${base}, and redirects are not followed: set ${variable}=${base}`,
  )
  return true
}

/** The answer, also where a gateway may have sent it. */
const answerTo = (ask: Ask) =>
  ask().catch((error: unknown) => {
    if (error instanceof Inconclusive && error.exchange !== undefined) return error.exchange
    throw error
  })

/**
 * Whether a service answers; what speaks against it is noted. Only where a request is documented a
 * strange answer to it says something. The requests differ in the key alone.
 */
export async function answersKeyed(
  place: Place & { isDocumented: boolean },
  requests: readonly [Ask, ...Ask[]],
  notes: Notes,
): Promise<boolean> {
  const { baseUrl, variable, isDocumented } = place
  const answer = await answerTo(requests[0]).catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined
    throw error
  })
  if (answer !== undefined && noteRedirect(place, answer, notes)) return false
  if (answer === undefined || isDocumented) {
    const isThere = await notes.attempt(async () => {
      await requireService(baseUrl, variable, ...requests)
      return true
    })
    if (isThere !== true) return false
  }
  const { status = 0, headers } = answer ?? {}
  const isPage = status < 400 && /^text\/html\b/i.test(headers?.get('content-type') ?? '')
  const what =
    `the service that answers at ${baseUrl}: a GET was answered with ${status}` +
    `${isPage ? ' and a web page' : ''}${isDocumented ? '' : ', and the document shows no GET'}.`
  if (isGatewayStatus(status)) notes.add('warning', `It may not be ${what} Is it up?`)
  else if (isPage || (status >= 300 && status < 400)) notes.add('untold', `Whether it is ${what}`)
  else notes.add('good', `A server answers at ${baseUrl}.`)
  return true
}

/** What two requests that differ in the key alone tell about it. */
export async function examineKey(
  requests: { withoutKey: Ask; withKey: Ask },
  { variable, refused }: { variable: string; refused: 'target' | 'warning' },
  notes: Notes,
): Promise<void> {
  // The documents show no status for a refused key: it may well be one of a gateway's.
  const { status: withoutKey } = await answerTo(requests.withoutKey)
  const { status: withKey } = await answerTo(requests.withKey)
  const isSame = withKey === withoutKey
  const statuses = isSame
    ? `a GET was answered with ${withKey}, with the key and without it`
    : `a GET was answered with ${withKey}, and with ${withoutKey} without the key`
  if (withKey === 401 || withKey === 403) {
    const kind = isSame ? refused : 'warning'
    notes.add(kind, `${variable} looks refused: ${statuses}. Check the key.`)
  } else if (isSame) notes.add('untold', `Whether ${variable} is accepted: ${statuses}.`)
  else notes.add('good', `${variable} is accepted: ${statuses}.`)
}
