import { createEventPublishingClient } from '../../suites/event-publishing/client.ts'
import { createEventPublishingContext } from '../../suites/event-publishing/support/context.ts'
import { assureService } from '../conformance/assure-service.ts'
import { Inconclusive } from '../conformance/outcome.ts'
import type { Run } from '../conformance/run.ts'
import { anonymous, bearer, type Credentials } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import type { Notes } from './notes.ts'
import { redirectedBase } from './redirect.ts'

function isRefusal(status: number): boolean {
  return status === 401 || status === 403
}

interface Place {
  baseUrl: string
  /** That holds the base URL. */
  variable: string
  /** Whether the request is documented: only then does a web page in answer to it say something. */
  isDocumented: boolean
}

/** Of an answer that need not be one of the service: how it was answered, in words. */
function strangeness({ status, headers }: Exchange): string | undefined {
  if (isGatewayStatus(status)) return `${status}, which a gateway may have sent`
  if (status >= 300 && status < 400) return `${status} and a redirect to ${headers.get('location')}`
  const isPage = status < 400 && /^text\/html\b/i.test(headers.get('content-type') ?? '')
  return isPage ? `${status} and a web page` : undefined
}

/** Notes that somebody is there, and where it may be another server, that this is not known. */
function noteAnswer({ baseUrl, isDocumented }: Place, answer: Exchange, notes: Notes): void {
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
async function answers(
  place: Place,
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
    const base = answer && redirectedBase(baseUrl, answer)
    if (base !== undefined) {
      notes.add(
        'configuration',
        `${baseUrl} redirects to ${base}, and redirects are not followed: set ${variable}=${base}`,
      )
      return false
    }
    if (answer === undefined) await assureService(baseUrl, variable, first)
    else if (isDocumented) await assureService(baseUrl, variable, ...requests)
    if (answer !== undefined) noteAnswer(place, answer, notes)
    return true
  })
  return ready === true
}

/** What two requests that differ in the key alone tell about it. */
async function examineKey(
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
  if (isRefusal(withKey)) {
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

/**
 * Looks with GETs at an event publishing service and at what is told of it.
 *
 * @returns whether it answers
 */
export async function examineEventPublishing(run: Run, notes: Notes): Promise<boolean> {
  const { target, events } = createEventPublishingContext(run)
  const client = createEventPublishingClient(target.baseUrl, (request) =>
    run.send('event-publishing', request),
  )
  const unknown = `plumbline-${run.settings.runId}-unknown`
  const withoutKey = () => client.status(unknown, { credentials: anonymous })
  const { baseUrl } = target
  const place = { baseUrl, variable: 'EVENT_PUBLISHING_BASE_URL', isDocumented: true }
  // Without the key a service may lead to a page to sign in at.
  const asked =
    target.apiKey === undefined
      ? ([withoutKey] as const)
      : ([events.unknownEvent, withoutKey] as const)
  if (!(await answers(place, asked, notes))) return false
  if (target.apiKey === undefined) return true
  await notes.attempt(async () => {
    const options = { variable: 'EVENT_PUBLISHING_API_KEY', refused: 'target' } as const
    await examineKey({ withoutKey, withKey: events.unknownEvent }, options, notes)
  })
  const { eventId } = target
  if (eventId === undefined) return true
  await notes.attempt(async () => {
    const { status } = await client.status(eventId, { credentials: events.key() })
    if (status === 404) {
      notes.add('configuration', 'EVENT_PUBLISHING_EVENT_ID: there is no event with that id (404).')
    } else {
      notes.add('good', `The event of EVENT_PUBLISHING_EVENT_ID is answered with ${status}.`)
    }
  })
  return true
}

/**
 * Looks with GETs at an incident status service. Its document shows no GET, so that little can be
 * told: that somebody is there and, where a GET asks for the key too, whether it is taken.
 *
 * @returns whether anybody answers
 */
export async function examineIncidentStatus(run: Run, notes: Notes): Promise<boolean> {
  const { incidentStatus: target } = run.settings.target
  if (target === undefined) throw new Error('the target has no incident status service')
  const incident = encodeURIComponent(target.incidentId ?? `plumbline-${run.settings.runId}`)
  const url = new URL(`${target.baseUrl}/v1/incidents/${incident}/updates`)
  const get = (credentials: Credentials) =>
    run.send('incident-status', { method: 'GET', url, credentials })
  const withoutKey = () => get(anonymous)
  const { apiKey, baseUrl } = target
  const place = { baseUrl, variable: 'INCIDENT_STATUS_BASE_URL', isDocumented: false }
  if (!(await answers(place, [withoutKey], notes))) return false
  if (apiKey !== undefined) {
    await notes.attempt(async () => {
      const options = { variable: 'INCIDENT_STATUS_API_KEY', refused: 'warning' } as const
      await examineKey({ withoutKey, withKey: () => get(bearer(apiKey)) }, options, notes)
    })
  }
  if (target.incidentId !== undefined) {
    notes.add('untold', 'Whether the incident is there: the document shows no GET.')
  }
  return true
}
