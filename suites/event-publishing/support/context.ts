import { requireService } from '../../../lib/conformance/require-service.ts'
import { currentRun, type Run } from '../../../lib/conformance/run.ts'
import { createEventPublishingClient } from '../client.ts'
import type { EventPublishingTarget } from '../variables.ts'
import { createEvents, type Events } from './events.ts'

/** What the checks of the event publishing service have at hand. */
export interface EventPublishingContext {
  target: EventPublishingTarget
  events: Events
}

export function isEventPublishingProbed(): boolean {
  return currentRun().settings.target.eventPublishing !== undefined
}

export function createEventPublishingContext(run: Run = currentRun()): EventPublishingContext {
  const target = run.settings.target.eventPublishing
  if (target === undefined) throw new Error('the target has no event publishing service')
  const client = createEventPublishingClient(target.baseUrl, (request) =>
    run.send('event-publishing', request),
  )
  return { target, events: createEvents(run, target, client) }
}

export function eventPublishingPreflight({
  target,
  events,
}: EventPublishingContext): Promise<void> {
  const request =
    target.apiKey === undefined ? events.keyed.publish.withoutKey : events.unknownEvent
  const { control } = events.keyed.publish
  return requireService(target.baseUrl, 'EVENT_PUBLISHING_BASE_URL', request, control)
}
