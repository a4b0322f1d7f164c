import type { ServiceFault } from '../fault.ts'
import type { Rules } from './rules.ts'

/** A deviation from the document of the event publishing service. */
export type Fault = ServiceFault<Rules>
