import type { Refusal } from '../../http/refusal.ts'
import { noContentParts, type ResponseParts } from '../../http/response-parts.ts'
import type { IncidentUpdate } from '../deployment.ts'
import type { RequestContext } from '../request-context.ts'

/** Document: Endpoints. Its one response has no content; the content of the request is left open. */
export interface UpdateRules {
  /** The timeline to which updates of that incident are added; `undefined` when there is none. */
  timelineOf(incidentId: string, context: RequestContext): IncidentUpdate[] | undefined
  missingIncident(context: RequestContext): Refusal
  /** The update that the content of the request stands for; `undefined` when it is not one. */
  updateIn(
    content: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): IncidentUpdate | undefined
  /** Why an update is refused although everything is right; `undefined` when it is not. */
  updateRefused(update: IncidentUpdate, context: RequestContext): Refusal | undefined
  /** The answer to an update that was added. */
  updatedParts(update: IncidentUpdate, context: RequestContext): ResponseParts
}

export const updateRules: UpdateRules = {
  timelineOf: (incidentId, context) => context.deployment.timelines.get(incidentId),
  missingIncident: () => ({ status: 404, message: 'there is no such incident' }),
  updateIn: ({ status, message }) => {
    const texts = typeof status === 'string' && typeof message === 'string'
    return texts ? { status, message } : undefined
  },
  updateRefused: () => undefined,
  updatedParts: () => noContentParts(),
}
