import { Inconclusive } from '../conformance/check-errors.ts'
import {
  classifyIntermediary,
  requireService,
  type ServiceAddress,
} from '../conformance/preflight.ts'
import type { Exchange } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import type { FindingRecorder } from './examine.ts'

type Ask = () => Promise<Exchange>

/** Whether a redirect leads to the same path below another base URL, such as https: that is noted. */
export function noteRedirect(
  { baseUrl, variable }: Pick<ServiceAddress, 'baseUrl' | 'variable'>,
  { status, headers, request }: Exchange,
  notes: FindingRecorder,
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

/** Returns the response, also if a gateway may have sent it. */
const answerTo = (ask: Ask) =>
  ask().catch((error: unknown) => {
    if (error instanceof Inconclusive && error.exchange !== undefined) return error.exchange
    throw error
  })

/**
 * Returns true if a service answers; what speaks against it is noted. An unlike response to a request
 * that the document does not show says nothing. The requests differ in the key alone.
 */
export async function answersKeyed(
  place: ServiceAddress & { isDocumented: boolean },
  requests: readonly [Ask, ...Ask[]],
  notes: FindingRecorder,
): Promise<boolean> {
  const { baseUrl, isDocumented } = place
  const answer = await answerTo(requests[0]).catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined
    throw error
  })
  if (answer !== undefined && noteRedirect(place, answer, notes)) return false
  if (answer === undefined || isDocumented) {
    const isThere = await notes.attempt(async () => {
      await requireService(place, ...requests)
      return true
    })
    if (answer === undefined || isThere !== true) return false
  }
  const stranger = classifyIntermediary(answer)
  const what =
    `the service that answers at ${baseUrl}: a GET was answered with ${answer.status}` +
    `${stranger === 'page' ? ' and a web page' : ''}${isDocumented ? '' : ', and the document shows no GET'}.`
  if (stranger === 'gateway') notes.add('warning', `It may not be ${what} Is it up?`)
  else if (stranger !== undefined) notes.add('untold', `Whether it is ${what}`)
  else notes.add('good', `A server answers at ${baseUrl}.`)
  return true
}

/** Notes what two requests that differ in the key alone show about it. */
export async function examineKey(
  requests: { withoutKey: Ask; withKey: Ask },
  { variable, refused }: { variable: string; refused: 'target' | 'warning' },
  notes: FindingRecorder,
): Promise<void> {
  const [withoutKey, withKey] = [
    await answerTo(requests.withoutKey),
    await answerTo(requests.withKey),
  ]
  const isSame = withKey.status === withoutKey.status
  const statuses = isSame
    ? `a GET was answered with ${withKey.status}, with the key and without it`
    : `a GET was answered with ${withKey.status}, and with ${withoutKey.status} without the key`
  if (withKey.status === 401 || withKey.status === 403) {
    const kind = isSame ? refused : 'warning'
    notes.add(kind, `${variable} looks refused: ${statuses}. Check the key.`)
  } else if (isSame || ![withoutKey, withKey].every(({ origin }) => mayBeOfService(origin))) {
    notes.add('untold', `Whether ${variable} is accepted: ${statuses}.`)
  } else notes.add('good', `${variable} is accepted: ${statuses}.`)
}
