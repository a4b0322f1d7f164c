import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { plannedKeyedCases } from '../../lib/conformance/keyed-table.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import { serviceIn } from '../service.ts'
import { incidentStatusAddress } from './client.ts'
import { incidentTable } from './keyed-table.ts'
import { incidentStatus } from './requirements.ts'
import { Incident } from './support/incident.ts'

export { expect } from '../../lib/conformance/matchers.ts'

export const { verify, observe } = defineChecks(incidentStatus, {
  isProbed: ({ incidentStatus: service }) => service !== undefined,
  context(run) {
    const target = serviceIn(run.settings.target, 'incidentStatus')
    return { target, incident: new Incident(run, target) }
  },
  planned: () => plannedKeyedCases(incidentTable),
  preflight({ target: { baseUrl }, incident }) {
    const withoutKey = () => incident.keyed.exchange('update', 'no key')
    return requireService({ ...incidentStatusAddress, baseUrl }, withoutKey, incident.update)
  },
})
