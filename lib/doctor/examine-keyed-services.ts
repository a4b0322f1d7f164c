import { assureService } from '../conformance/assure-service.ts'
import { createEventPublishingContext } from '../conformance/event-publishing/context.ts'
import { Inconclusive } from '../conformance/outcome.ts'
import type { Run } from '../conformance/run.ts'
import { anonymous, bearer, type Credentials } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { createEventPublishingClient } from '../services/event-publishing.ts'
import type { Notes } from './notes.ts'
import { redirectedBase } from './redirect.ts'

function isRefusal(status: number): boolean {
  return status === 401 || status === 403
}

/** The documents show no status for a refused key: it may well be one of a gateway's. */
async function statusOf(request: () => Promise<Exchange>): Promise<number> {
  try {
    const { status } = await request()
    return status
  } catch (error) {
    const exchange = error instanceof Inconclusive ? error.exchange : undefined
    if (exchange === undefined) throw error
    return exchange.status
  }
}

interface Place {
  baseUrl: string
  /** That holds the base URL. */
  variable: string
  /** Whether the request is documented: only then does a web page in answer to it say something. */
  isDocumented: boolean
}

/** Whether a service answers; what speaks against it is noted. */
async function answers(
  { baseUrl, variable, isDocumented }: Place,
  request: () => Promise<Exchange>,
  notes: Notes,
): Promise<boolean> {
  const ready = await notes.attempt(async () => {
    const answer = await request().catch((error: unknown) => {
      if (error instanceof Inconclusive) return undefined
      throw error
    })
    const base = answer && redirectedBase(baseUrl, answer)
    if (base === undefined) {
      if (isDocumented || answer === undefined) await assureService(baseUrl, variable, request)
      return true
    }
    notes.add(
      'configuration',
      `${baseUrl} redirects to ${base}, and redirects are not followed: set ${variable}=${base}`,
    )
    return false
  })
  if (ready) notes.add('good', `Somebody answers at ${baseUrl}.`)
  return ready === true
}

/** What two requests that differ in the key alone tell about it. */
async function examineKey(
  requests: { withoutKey: () => Promise<Exchange>; withKey: () => Promise<Exchange> },
  { variable, refused }: { variable: string; refused: 'target' | 'warning' },
  notes: Notes,
): Promise<void> {
  const withoutKey = await statusOf(requests.withoutKey)
  const withKey = await statusOf(requests.withKey)
  const statuses = `without it ${withoutKey}, with it ${withKey}`
  if (isRefusal(withKey)) {
    notes.add(
      withKey === withoutKey ? refused : 'warning',
      `${variable} looks refused: a GET got ${statuses}. Check the key.`,
    )
  } else if (withKey === withoutKey) {
    notes.add('untold', `Whether ${variable} is accepted: a GET got ${statuses}.`)
  } else {
    notes.add('good', `${variable} is accepted: a GET got ${statuses}.`)
  }
}

/** Looks with GETs at an event publishing service and at what is told of it. */
export async function examineEventPublishing(run: Run, notes: Notes): Promise<void> {
  const { target, events } = createEventPublishingContext(run)
  const client = createEventPublishingClient(target.baseUrl, (request) =>
    run.send('event-publishing', request),
  )
  const unknown = `plumbline-${run.settings.runId}-unknown`
  const withoutKey = () => client.status(unknown, { credentials: anonymous })
  const { baseUrl } = target
  const place = { baseUrl, variable: 'EVENT_PUBLISHING_BASE_URL', isDocumented: true }
  // Without the key a service may lead to a page to sign in at.
  const asked = target.apiKey === undefined ? withoutKey : events.unknownEvent
  if (!(await answers(place, asked, notes)) || target.apiKey === undefined) return
  await notes.attempt(async () => {
    const options = { variable: 'EVENT_PUBLISHING_API_KEY', refused: 'target' } as const
    await examineKey({ withoutKey, withKey: events.unknownEvent }, options, notes)
  })
  const { eventId } = target
  if (eventId === undefined) return
  await notes.attempt(async () => {
    const { status } = await client.status(eventId, { credentials: events.key() })
    if (status === 404) {
      notes.add('configuration', 'EVENT_PUBLISHING_EVENT_ID: there is no event with that id (404).')
    } else {
      notes.add('good', `The event of EVENT_PUBLISHING_EVENT_ID is answered with ${status}.`)
    }
  })
}

/**
 * Looks with GETs at an incident status service. Its document shows no GET, so that little can be
 * told: that somebody is there and, where a GET asks for the key too, whether it is taken.
 */
export async function examineIncidentStatus(run: Run, notes: Notes): Promise<void> {
  const { incidentStatus: target } = run.settings.target
  if (target === undefined) throw new Error('the target has no incident status service')
  const incident = encodeURIComponent(target.incidentId ?? `plumbline-${run.settings.runId}`)
  const url = new URL(`${target.baseUrl}/v1/incidents/${incident}/updates`)
  const get = (credentials: Credentials) =>
    run.send('incident-status', { method: 'GET', url, credentials })
  const withoutKey = () => get(anonymous)
  const { apiKey, baseUrl } = target
  const place = { baseUrl, variable: 'INCIDENT_STATUS_BASE_URL', isDocumented: false }
  if (!(await answers(place, withoutKey, notes))) return
  if (apiKey !== undefined) {
    await notes.attempt(async () => {
      const options = { variable: 'INCIDENT_STATUS_API_KEY', refused: 'warning' } as const
      await examineKey({ withoutKey, withKey: () => get(bearer(apiKey)) }, options, notes)
    })
  }
  if (target.incidentId !== undefined) {
    notes.add('untold', 'Whether the incident is there: the document shows no GET.')
  }
}
