import type { Run } from '../../lib/conformance/probe-run.ts'
import type { FindingRecorder, ServiceDoctor } from '../../lib/doctor/examine.ts'
import { examineKey, respondsToKey } from '../../lib/doctor/reachability.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { createContext } from './events.ts'
import { eventPublishingAddress } from './variables.ts'

async function examine(run: Run, notes: FindingRecorder): Promise<object | undefined> {
  const { target, events } = createContext(run)
  const { apiKey, baseUrl, eventId } = target
  const unknown = `plumbline-${run.settings.runId}-unknown`
  const withoutKey = () => events.sendFor('status', unknown, { credentials: anonymous })
  const withKey = () => events.status('unknown')
  const place = { ...eventPublishingAddress, baseUrl, isDocumented: true }
  // Without a key, the service may redirect to a sign-in page.
  const requests = apiKey === undefined ? ([withoutKey] as const) : ([withKey, withoutKey] as const)
  if (!(await respondsToKey(place, requests, notes))) return undefined
  if (apiKey === undefined) return {}
  const key = { variable: 'EVENT_PUBLISHING_API_KEY', ifRejected: 'target' } as const
  await notes.attempt(() => examineKey({ withoutKey, withKey }, key, notes))
  if (eventId === undefined) return {}
  await notes.attempt(async () => {
    const { status } = await events.status(undefined)
    if (status === 404) {
      notes.add('configuration', 'EVENT_PUBLISHING_EVENT_ID: there is no event with that id (404).')
    } else {
      notes.add('ok', `The event of EVENT_PUBLISHING_EVENT_ID returned ${status}.`)
    }
  })
  return {}
}

export const eventPublishingDoctor: ServiceDoctor = { examine }
