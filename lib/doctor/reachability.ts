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

/** Returns the response, also if a gateway may have sent it. */
const receive = (send: SendRequest) =>
  send().catch((error: unknown) => {
    if (error instanceof Inconclusive && error.exchange !== undefined) return error.exchange
    throw error
  })

/** Returns true if a service responds, and records what indicates something else. The requests differ only in the key. */
export async function respondsToKey(
  address: ServiceAddress & { isDocumented: boolean },
  requests: readonly [SendRequest, ...SendRequest[]],
  recorder: FindingRecorder,
): Promise<boolean> {
  const { baseUrl, isDocumented } = address
  const response = await receive(requests[0]).catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined
    throw error
  })
  if (response === undefined || isDocumented) {
    const isReachable = await recorder.attempt(() =>
      requireService(address, ...requests).then(() => true),
    )
    if (response === undefined || isReachable !== true) return false
  }
  const intermediary = classifyIntermediary(response)
  if (intermediary === undefined) recorder.add('ok', `A server responds at ${baseUrl}.`)
  else {
    const location = response.headers.get('location')
    const content = location === null ? intermediary : `redirect to ${location}`
    const actual = `a GET returned ${response.status} (${content})`
    const text = `It may not be the service at ${baseUrl}: ${actual}. Is ${address.variable} right?`
    recorder.add(intermediary === 'redirect' ? 'configuration' : 'warning', text)
  }
  // A key is not sent with http to a server that demands https.
  return intermediary !== 'redirect'
}

/** Records whether a key is accepted, according to two requests that differ only in the key. */
export async function examineKey(
  requests: { withoutKey: SendRequest; withKey: SendRequest },
  { variable, ifRejected }: { variable: string; ifRejected: 'target' | 'warning' },
  recorder: FindingRecorder,
): Promise<void> {
  const withoutKey = await receive(requests.withoutKey)
  const withKey = await receive(requests.withKey)
  const isSame = withKey.status === withoutKey.status
  const statuses = isSame
    ? `a GET returned ${withKey.status}, with the key and without it`
    : `a GET returned ${withKey.status}, and with ${withoutKey.status} without the key`
  if (withKey.status === 401 || withKey.status === 403) {
    const kind = isSame ? ifRejected : 'warning'
    const isGateway = isSame && withKey.status === 403
    const gateway = isGateway ? `, unless the response is from ${demandingGateway}` : ''
    recorder.add(kind, `${variable} looks rejected: ${statuses}. Check the key${gateway}.`)
  } else if (isSame || ![withoutKey, withKey].every(({ origin }) => mayBeOfService(origin))) {
    recorder.add('unknown', `Unknown if ${variable} is accepted: ${statuses}.`)
  } else recorder.add('ok', `${variable} is accepted: ${statuses}.`)
}
