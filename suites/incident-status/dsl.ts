import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import { currentRun } from '../../lib/conformance/run.ts'
import { incidentStatusAddress } from './client.ts'
import { incidentStatus } from './requirements.ts'
import { createIncidentStatusContext } from './support/incident.ts'

export { expect } from '../../lib/conformance/matchers.ts'

export const { verify, observe } = defineChecks(incidentStatus, {
  probed: () => currentRun().settings.target.incidentStatus !== undefined,
  context: createIncidentStatusContext,
  preflight({ target, incident }) {
    const { withoutKey, control } = incident.update
    return requireService(
      { ...incidentStatusAddress, baseUrl: target.baseUrl },
      withoutKey,
      control,
    )
  },
})
