import { jsonParts, noContentParts, type Refusal, type ResponseParts } from '../http.ts'
import type { KeyedRules } from '../keyed-service.ts'
import { changesOf } from '../service.ts'
import type { IncidentUpdate, RequestContext } from './deployment.ts'

/** Document: Endpoints. Its one response has no content; the content of the request is left open. */
interface UpdateRules {
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

/**
 * Every rule of the document, and a choice wherever it leaves one, as a function that stands alone:
 * none calls another, so that one can be replaced and nothing else changes.
 */
export interface Rules extends KeyedRules<RequestContext>, Readonly<UpdateRules> {}

export const { refused } = changesOf<Rules, RequestContext>()

/** The rules as the document states them. */
export const documentedRules: Rules = {
  // Authentication. What a refusal looks like is left open.
  accepts: ({ place }) => place === 'bearer',
  keyNeeded: () => true,
  keyHolds: (key, context) => key === context.deployment.key,
  missingKey: () => ({ status: 401, message: 'a bearer key is required' }),
  wrongKey: () => ({ status: 401, message: 'the key is not valid' }),

  timelineOf: (incidentId, context) => context.deployment.timelines.get(incidentId),
  missingIncident: () => ({ status: 404, message: 'there is no such incident' }),
  updateIn: ({ status, message }) => {
    const texts = typeof status === 'string' && typeof message === 'string'
    return texts ? { status, message } : undefined
  },
  updateRefused: () => undefined,
  updatedParts: () => noContentParts(),

  // Errors, which leaves all of it open.
  malformedBody: (reason) => ({ status: 400, message: reason }),
  serverError: () => ({ status: 500, message: 'internal error' }),
  errorParts: ({ status, message }) => {
    const parts = jsonParts(status, { error: message })
    if (status === 401) parts.headers.set('WWW-Authenticate', 'Bearer realm="incident status"')
    return parts
  },
}
