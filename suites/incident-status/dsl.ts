import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import { currentRun } from '../../lib/conformance/run.ts'
import { incidentStatusAddress } from './client.ts'
import { incidentStatus } from './requirements.ts'
import { createIncidentContext } from './support/incident.ts'

export { expect } from '../../lib/conformance/matchers.ts'

export const { verify, observe } = defineChecks(incidentStatus, {
  probed: () => currentRun().settings.target.incidentStatus !== undefined,
  context: createIncidentContext,
  preflight({ target: { baseUrl }, keyed, update }) {
    const withoutKey = () => keyed.exchange('update', 'no key')
    return requireService({ ...incidentStatusAddress, baseUrl }, withoutKey, update)
  },
})
