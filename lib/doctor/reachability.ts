import { Inconclusive } from '../conformance/check-errors.ts'
import {
  classifyIntermediary,
  demandingGateway,
  requireService,
  type ServiceAddress,
} from '../conformance/preflight.ts'
import type { Exchange } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import type { FindingRecorder } from './examine.ts'

type SendRequest = () => Promise<Exchange>

/** Records a redirect to the same path below another base URL, such as https, and returns true for one. */
export function noteRedirect(
  { baseUrl, variable }: Pick<ServiceAddress, 'baseUrl' | 'variable'>,
  { status, headers, request }: Exchange,
  recorder: FindingRecorder,
): boolean {
  const location = headers.get('location') ?? ''
  if (status < 300 || status >= 400 || !URL.canParse(location, request.url.href)) return false
  const target = new URL(location, request.url)
  const path = request.url.pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length)
  const base = target.origin + target.pathname.slice(0, -path.length)
  const isBase = /^https?:$/.test(target.protocol) && target.pathname.endsWith(path)
  if (!isBase || base === baseUrl) return false
  recorder.add(
    'configuration',
    `${baseUrl} redirects to ${base}, and redirects are not followed: set ${variable}=${base}`,
  )
  return true
}

/** Returns the response, also if a gateway may have sent it. */
const receive = (send: SendRequest) =>
  send().catch((error: unknown) => {
    if (error instanceof Inconclusive && error.exchange !== undefined) return error.exchange
    throw error
  })

export interface KeyedService extends ServiceAddress {
  /** Variable of the key. */
  key: string
  /** False if no GET of the service is documented: then an unexpected response proves nothing. */
  isDocumented: boolean
}

/** Requests that differ only in the key; `withKey` is undefined if none is configured. */
interface KeyedRequests {
  withoutKey: SendRequest
  withKey: SendRequest | undefined
}

/** Returns true if a service responds. Records what shows something else, and whether its key is accepted. */
export async function examineKeyed(
  service: KeyedService,
  { withoutKey, withKey }: KeyedRequests,
  recorder: FindingRecorder,
): Promise<boolean> {
  const { baseUrl, isDocumented } = service
  // Without a key, the service may redirect to a sign-in page.
  const requests = withKey === undefined ? [withoutKey] : [withKey, withoutKey]
  const response = await receive(withKey ?? withoutKey).catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined
    throw error
  })
  if (response !== undefined && noteRedirect(service, response, recorder)) return false
  if (response === undefined || isDocumented) {
    const isReachable = await recorder.attempt(() =>
      requireService(service, ...requests).then(() => true),
    )
    if (response === undefined || isReachable !== true) return false
  }
  const intermediary = classifyIntermediary(response)
  const description =
    `the service at ${baseUrl}: a GET returned ${response.status}` +
    `${intermediary === 'page' ? ' and a web page' : ''}${isDocumented ? '' : ', and GET is not documented'}.`
  if (intermediary === 'gateway') recorder.add('warning', `It may not be ${description} Is it up?`)
  else if (intermediary !== undefined) recorder.add('unknown', `Unknown if it is ${description}`)
  else recorder.add('ok', `A server responds at ${baseUrl}.`)
  if (withKey !== undefined) {
    await recorder.attempt(() => examineKey(service, { withoutKey, withKey }, recorder))
  }
  return true
}

/** Records whether a key is accepted. */
export async function examineKey(
  { key, isDocumented }: Pick<KeyedService, 'key' | 'isDocumented'>,
  requests: Record<keyof KeyedRequests, SendRequest>,
  recorder: FindingRecorder,
): Promise<void> {
  const withoutKey = await receive(requests.withoutKey)
  const withKey = await receive(requests.withKey)
  const isSame = withKey.status === withoutKey.status
  const statuses = isSame
    ? `a GET returned ${withKey.status}, with the key and without it`
    : `a GET returned ${withKey.status}, and with ${withoutKey.status} without the key`
  if (withKey.status === 401 || withKey.status === 403) {
    const isGateway = isSame && withKey.status === 403
    const gateway = isGateway ? `, unless the response is from ${demandingGateway}` : ''
    const kind = isSame && isDocumented ? 'target' : 'warning'
    recorder.add(kind, `${key} looks rejected: ${statuses}. Check the key${gateway}.`)
  } else if (isSame || ![withoutKey, withKey].every(({ origin }) => mayBeOfService(origin))) {
    recorder.add('unknown', `Unknown if ${key} is accepted: ${statuses}.`)
  } else recorder.add('ok', `${key} is accepted: ${statuses}.`)
}
