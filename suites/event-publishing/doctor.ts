import type { Run } from '../../lib/conformance/probe-run.ts'
import type { FindingRecorder, ServiceDoctor } from '../../lib/doctor/examine.ts'
import { examineKeyed } from '../../lib/doctor/reachability.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { createContext } from './events.ts'
import { eventPublishingAddress } from './variables.ts'

async function examine(run: Run, notes: FindingRecorder): Promise<object | undefined> {
  const { target, events } = createContext(run)
  const { apiKey, baseUrl, eventId } = target
  const unknown = `plumbline-${run.settings.runId}-unknown`
  const service = {
    ...eventPublishingAddress,
    baseUrl,
    key: 'EVENT_PUBLISHING_API_KEY',
    isDocumented: true,
  }
  const requests = {
    withoutKey: () => events.sendFor('status', unknown, { credentials: anonymous }),
    withKey: apiKey === undefined ? undefined : events.unknown,
  }
  if (!(await examineKeyed(service, requests, notes))) return undefined
  if (apiKey === undefined || eventId === undefined) return {}
  await notes.attempt(async () => {
    const { status } = await events.sendFor('status', eventId, {
      credentials: events.credentials(),
    })
    if (status === 404) {
      notes.add('configuration', 'EVENT_PUBLISHING_EVENT_ID: there is no event with that id (404).')
    } else {
      notes.add('ok', `The event of EVENT_PUBLISHING_EVENT_ID returned ${status}.`)
    }
  })
  return {}
}

export const eventPublishingDoctor: ServiceDoctor = { examine }
