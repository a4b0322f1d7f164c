import { type Need, skipFor, writing } from '../../lib/conformance/requirement.ts'

export const eventPublishingNeeds = {
  'event publishing key': {
    variables: ['EVENT_PUBLISHING_API_KEY'],
    advice: 'Set the API key of the event publishing service.',
    isMet: ({ eventPublishing }) => eventPublishing?.apiKey !== undefined,
  },
  'write requests': writing,
  'published event': {
    ...writing,
    isMet: ({ eventPublishing, probe }) =>
      eventPublishing?.eventId !== undefined || !probe.readOnly,
  },
} as const satisfies Readonly<Record<string, Need>>

export type EventPublishingNeed = keyof typeof eventPublishingNeeds

/** @throws Skip with the variables of the unmet need */
export const skipUnmetNeed = (name: EventPublishingNeed): never =>
  skipFor(eventPublishingNeeds, name)
