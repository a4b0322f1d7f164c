import type { Fault } from './fault.ts'
import { eventFaults } from './faults/events.ts'
import { keyFaults } from './faults/keys.ts'
import { publishingFaults } from './faults/publishing.ts'

/** Every fault of the event publishing service. */
export const eventPublishingFaults: readonly Fault[] = [
  ...publishingFaults,
  ...eventFaults,
  ...keyFaults,
]
