import { codeHostingFaults } from './code-hosting/faults.ts'
import { entryNamed } from './entry-named.ts'
import { eventPublishingFaults } from './event-publishing/faults.ts'
import type { Fault, ServiceFault } from './fault.ts'
import { incidentStatusFaults } from './incident-status/faults.ts'
import type { ReferenceRules } from './reference-rules.ts'

function faultsOf<Service extends keyof ReferenceRules>(
  service: Service,
  serviceFaults: readonly ServiceFault<ReferenceRules[Service]>[],
): readonly Fault[] {
  return serviceFaults.map((fault) => ({
    ...fault,
    change: (rules) => ({ ...rules, [service]: fault.change(rules[service]) }),
  }))
}

/** Every fault that the reference deployment can be started with, in the order of the documents. */
export const faults: readonly Fault[] = [
  ...faultsOf('codeHosting', codeHostingFaults),
  ...faultsOf('eventPublishing', eventPublishingFaults),
  ...faultsOf('incidentStatus', incidentStatusFaults),
]

/** @throws Error when there is none of that name */
export function faultNamed(name: string): Fault {
  return entryNamed('fault', faults, name)
}
