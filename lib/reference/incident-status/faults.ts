import type { Fault } from './fault.ts'
import { credentialFaults } from './faults/credentials.ts'
import { updateFaults } from './faults/updates.ts'

/** Every fault of the incident status service. */
export const incidentStatusFaults: readonly Fault[] = [...updateFaults, ...credentialFaults]
