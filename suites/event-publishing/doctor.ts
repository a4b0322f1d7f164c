import type { Run } from '../../lib/conformance/run.ts'
import { answersKeyed, examineKey } from '../../lib/doctor/answers.ts'
import type { Notes, ServiceDoctor } from '../../lib/doctor/examine.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { createEventPublishingContext } from './support/events.ts'

/**
 * Looks with GETs at an event publishing service and at what is configured of it.
 *
 * @returns `undefined` where it does not answer
 */
async function examine(run: Run, notes: Notes): Promise<object | undefined> {
  const { target, client, events } = createEventPublishingContext(run)
  const unknown = `plumbline-${run.settings.runId}-unknown`
  const withoutKey = () => client.status(unknown, { credentials: anonymous })
  const { baseUrl } = target
  const place = { baseUrl, variable: 'EVENT_PUBLISHING_BASE_URL', isDocumented: true }
  // Without the key a service may lead to a page to sign in at.
  const asked =
    target.apiKey === undefined
      ? ([withoutKey] as const)
      : ([events.unknownEvent, withoutKey] as const)
  if (!(await answersKeyed(place, asked, notes))) return undefined
  if (target.apiKey === undefined) return {}
  await notes.attempt(async () => {
    const options = { variable: 'EVENT_PUBLISHING_API_KEY', refused: 'target' } as const
    await examineKey({ withoutKey, withKey: events.unknownEvent }, options, notes)
  })
  const { eventId } = target
  if (eventId === undefined) return {}
  await notes.attempt(async () => {
    const { status } = await client.status(eventId, { credentials: events.key() })
    if (status === 404) {
      notes.add('configuration', 'EVENT_PUBLISHING_EVENT_ID: there is no event with that id (404).')
    } else {
      notes.add('good', `The event of EVENT_PUBLISHING_EVENT_ID is answered with ${status}.`)
    }
  })
  return {}
}

export const eventPublishingDoctor: ServiceDoctor = { examine }
