import { Inconclusive } from '../conformance/outcome.ts'
import { requireService } from '../conformance/require-service.ts'
import type { Exchange } from '../probe/exchange.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import type { Notes } from './notes.ts'

/** Where a service is to be. */
interface Place {
  baseUrl: string
  /** That holds the base URL. */
  variable: string
}

interface KeyedPlace extends Place {
  /** Whether the request is documented: only then does a web page in answer to it say something. */
  isDocumented: boolean
}

/**
 * Notes the base URL to which a redirect of a request below the present one points, when it leads to
 * the same path below another one.
 *
 * @returns whether it does
 */
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

/** Of an answer that need not be one of the service: how it was answered, in words. */
function strangeness({ status, headers }: Exchange): string | undefined {
  if (isGatewayStatus(status)) return `${status}, which a gateway may have sent`
  if (status >= 300 && status < 400) return `${status} and a redirect to ${headers.get('location')}`
  const isPage = status < 400 && /^text\/html\b/i.test(headers.get('content-type') ?? '')
  return isPage ? `${status} and a web page` : undefined
}

/** Notes that somebody is there, and where it may be another server, that this is not known. */
function noteAnswer({ baseUrl, isDocumented }: KeyedPlace, answer: Exchange, notes: Notes): void {
  const strange = strangeness(answer)
  if (strange === undefined) {
    notes.add('good', `A server answers at ${baseUrl}.`)
    return
  }
  const silent = isDocumented ? '' : ', and the document shows no GET'
  const words = `the service that answers at ${baseUrl}: a GET was answered with ${strange}${silent}.`
  if (isGatewayStatus(answer.status)) notes.add('warning', `It may not be ${words} Is it up?`)
  else notes.add('untold', `Whether it is ${words}`)
}

/** The answer, also where a gateway may have sent it. */
async function answerTo(request: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await request()
  } catch (error) {
    const exchange = error instanceof Inconclusive ? error.exchange : undefined
    if (exchange === undefined) throw error
    return exchange
  }
}

/**
 * Whether a service answers; what speaks against it is noted.
 *
 * @param requests that differ in the key alone, as one of them may be refused
 */
export async function answersKeyed(
  place: KeyedPlace,
  requests: readonly [() => Promise<Exchange>, ...(() => Promise<Exchange>)[]],
  notes: Notes,
): Promise<boolean> {
  const { baseUrl, variable, isDocumented } = place
  const [first] = requests
  const ready = await notes.attempt(async () => {
    const answer = await answerTo(first).catch((error: unknown) => {
      if (error instanceof Inconclusive) return undefined
      throw error
    })
    if (answer !== undefined && noteRedirect(place, answer, notes)) return false
    if (answer === undefined) await requireService(baseUrl, variable, first)
    else if (isDocumented) await requireService(baseUrl, variable, ...requests)
    if (answer !== undefined) noteAnswer(place, answer, notes)
    return true
  })
  return ready === true
}

/** What two requests that differ in the key alone tell about it. */
export async function examineKey(
  requests: { withoutKey: () => Promise<Exchange>; withKey: () => Promise<Exchange> },
  { variable, refused }: { variable: string; refused: 'target' | 'warning' },
  notes: Notes,
): Promise<void> {
  // The documents show no status for a refused key: it may well be one of a gateway's.
  const { status: withoutKey } = await answerTo(requests.withoutKey)
  const { status: withKey } = await answerTo(requests.withKey)
  const statuses =
    withKey === withoutKey
      ? `a GET was answered with ${withKey}, with the key and without it`
      : `a GET was answered with ${withKey}, and with ${withoutKey} without the key`
  if (withKey === 401 || withKey === 403) {
    notes.add(
      withKey === withoutKey ? refused : 'warning',
      `${variable} looks refused: ${statuses}. Check the key.`,
    )
  } else if (withKey === withoutKey) {
    notes.add('untold', `Whether ${variable} is accepted: ${statuses}.`)
  } else {
    notes.add('good', `${variable} is accepted: ${statuses}.`)
  }
}
