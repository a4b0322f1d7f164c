import { type CallOf, type EndpointContext, HttpError, responseParts } from '../http.ts'
import { type KeyedServer, keyedRules } from '../keyed-service.ts'
import { createTables, type RulesOf } from '../rule-tables.ts'

export type IncidentUpdate = { readonly status: string; readonly message: string }

interface IncidentStatusServer extends KeyedServer {
  readonly timelines: ReadonlyMap<string, IncidentUpdate[]>
}

export type RequestContext = EndpointContext<'add-update', IncidentStatusServer>

/** Returns the key of an `Authorization: Bearer` field; empty if the field holds only the scheme. */
function bearerKey({ headers }: Pick<RequestContext, 'headers'>): string | undefined {
  const [scheme, key = ''] = (headers.get('Authorization') ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' ? key : undefined
}

const bearerRules = keyedRules(bearerKey, 'a bearer key is required')

/** Rules of the document. Faults and variants replace them one by one. */
export const documentedRules = {
  ...bearerRules,
  errorParts: (error: HttpError) => {
    const parts = bearerRules.errorParts(error)
    const challenge = 'Bearer realm="incident status"'
    if (error.status === 401) parts.headers.set('WWW-Authenticate', challenge)
    return parts
  },

  // Endpoints. The response has no content; the document leaves the content of the request open.
  timelineOf: (incidentId: string, { server }: RequestContext) => server.timelines.get(incidentId),
  missingIncident: () => new HttpError(404, 'there is no such incident'),
  updateIn: ({ status, message }: Readonly<Record<string, unknown>>): IncidentUpdate | undefined =>
    typeof status === 'string' && typeof message === 'string' ? { status, message } : undefined,
  updateError: (_update: IncidentUpdate): HttpError | undefined => undefined,
  updatedParts: (_update: IncidentUpdate) => responseParts(204),
}

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type Call = CallOf<RequestContext, Rules>

export const { alter, after, reject, faultsOf, uses } = createTables<Rules, RequestContext>(
  'incident-status',
)
