import { bind } from '../../lib/conformance/bind.ts'
import { incidentStatus } from './requirements.ts'
import {
  createIncidentStatusContext,
  incidentStatusPreflight,
  isIncidentStatusProbed,
} from './support/context.ts'

export { expect } from '../../lib/conformance/matchers.ts'

/** The words of the suites, bound to the catalogue of the incident status service. */
export const { verify, observe } = bind(incidentStatus, {
  probed: isIncidentStatusProbed,
  context: createIncidentStatusContext,
  preflight: incidentStatusPreflight,
})
