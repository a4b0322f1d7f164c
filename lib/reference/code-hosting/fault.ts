import type { ServiceFault } from '../fault.ts'
import type { Rules } from './rules.ts'

/** A deviation from the document of the code hosting service. */
export type Fault = ServiceFault<Rules>
