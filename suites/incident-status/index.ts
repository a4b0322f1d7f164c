/** The requirements of incident status, in the order of the document, and the service. */
import { type Need, needOf, skipFor, writing } from '../../lib/conformance/catalogue.ts'
import { checkSettings, skip } from '../../lib/conformance/check-errors.ts'
import { expect, isSuccess } from '../../lib/conformance/matchers.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import {
  type SuiteObservation,
  type SuiteRequirement,
  statusOf,
} from '../../lib/conformance/requirements.ts'
import { untilAccepted } from '../../lib/conformance/retry-lost-responses.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import {
  accepted,
  afterRejection,
  clientOf,
  type KeyedCase,
  type KeyedOptions,
  KeyedRequests,
  keyedSuite,
  observationsOf,
  successOf,
  versioning,
  withKeyElsewhere,
  withoutKey,
  withWrongKey,
} from '../keyed.ts'
import { defineService, serviceIn } from '../service.ts'
import {
  type IncidentStatusTarget,
  incidentStatusAddress,
  incidentStatusVariables,
} from './variables.ts'

const { table, requestFields } = incidentStatusVariables

const needAt = (key: 'apiKey' | 'incidentId' | 'updateBody', cases: string) =>
  needOf(table[key], cases, ({ incidentStatus }) => incidentStatus?.[key] !== undefined)

const needs = {
  'incident status key': needAt('apiKey', 'with the key'),
  'test incident': needAt('incidentId', 'with an incident'),
  'update body': needAt('updateBody', 'with an accepted update'),
  'write requests': writing,
} as const satisfies Readonly<Record<string, Need>>

interface Context {
  target: IncidentStatusTarget
  sender: KeyedRequests
}

function createContext(run: Run): Context {
  const target = serviceIn(run.settings.target, 'incidentStatus')
  const client = clientOf(target.baseUrl, (request) => run.send('incident-status', request))
  const getKey = () => target.apiKey ?? skipFor(needs, 'incident status key')
  const send = async (options: KeyedOptions, incidentId = target.incidentId) => {
    const { updateBody: body } = target
    return client('updates', { ...options, body }, incidentId ?? skipFor(needs, 'test incident'))
  }
  const unknown = `plumbline-${run.settings.runId}-unknown`
  const sender: KeyedRequests = new KeyedRequests({
    run,
    variable: table.apiKey.name,
    place: ['Authorization', 'Bearer '],
    otherFields: requestFields,
    getKey,
    endpoints: {
      updates: {
        async right(item) {
          const credentials = bearer(getKey())
          // A server might count it as an update.
          if (item) await sender.send(thirdUpdate).catch(() => undefined)
          else if (target.updateBody === undefined) skipFor(needs, 'update body')
          return untilAccepted(run, () => send({ credentials }, item && unknown))
        },
        send: (options) => send(options),
      },
    },
  })
  return { target, sender }
}

const update: KeyedCase = { endpoint: 'updates', key: 'right' }
const thirdUpdate: KeyedCase = { ...update, after: afterRejection('updates') }
/** The configured update, three times. */
const updates = { cases: [...accepted('updates'), thirdUpdate], given: [{}] }

/** @throws Inconclusive if a rejected update proves nothing about the service */
async function requireConclusive({ status }: Exchange, { sender }: Context): Promise<void> {
  if (status === 401) {
    checkSettings(['INCIDENT_STATUS_API_KEY'], 'the server rejects the key with 401')
  }
  // A gateway, or a service without 401, responds to every key like this.
  if (status === 403 && (await sender.send({ ...update, key: 'invented' })).status === 403) {
    checkSettings(['INCIDENT_STATUS_API_KEY'], 'the update returned 403, as with a wrong key')
  }
  // A missing incident, path or method looks the same as a wrong setting.
  if ([404, 405, 410, 501].includes(status)) {
    checkSettings(
      ['INCIDENT_STATUS_BASE_URL', 'INCIDENT_STATUS_INCIDENT_ID'],
      `the update returned ${status}, like an unknown path or incident`,
    )
  }
}

const anySuccess = { 'any-success-status': 'The server may return any 2xx status code.' }
const ofUpdates = ['incident status key', 'test incident', 'update body', 'write requests']
const anonymous = ['test incident', 'write requests']
const forControls = ['incident status key', 'update body']
const bearerOnly = withKeyElsewhere(
  'updates',
  { key: 'invented', place: 'query and fields' },
  ...(['token', 'Bearer:', 'Bearerx', 'no scheme', 'Basic', 'body', 'query and fields'] as const),
)

const requirements: Readonly<Record<string, SuiteRequirement<KeyedCase, object, Context>>> = {
  'updates/accepted': {
    statement:
      "An update request with an API key as a bearer token adds an update to the incident's timeline.",
    section: 'Endpoints',
    needs: ofUpdates,
    tolerances: {
      ...anySuccess,
      limited: 'The server may reject a second update with 409 or 429.',
      'any-update-form': 'The server may expect updates of any form; the operator supplies one.',
      'no-such-path':
        'The server may have nothing at this path; the base URL or the incident may be wrong.',
    },
    ...updates,
    async shows(response, context, one) {
      if (!one.after) await requireConclusive(response, context)
      await context.sender.expectAccepted(response, one)
    },
  },
  'updates/no-response-body': {
    statement: 'The response to an accepted update request has no body.',
    because: 'the table of endpoints has no response body, whatever the status',
    section: 'Endpoints',
    needs: ofUpdates,
    tolerances: {
      ...anySuccess,
      'announced-emptiness': 'The response may include Content-Length: 0 or an empty chunked body.',
    },
    ...updates,
    shows(response) {
      const { status } = response
      if (!isSuccess(response)) skip(`needs an accepted update, and the update returned ${status}`)
      expect(response).toHaveNoBody()
    },
  },
  'updates/credentials-required': {
    statement: 'The server rejects an update request without an API key.',
    section: 'Authentication',
    needs: anonymous,
    controlNeeds: forControls,
    ...withoutKey('updates'),
  },
  'updates/key-checked': {
    statement: 'The server rejects an update request with an API key that was never issued.',
    section: 'Authentication',
    needs: anonymous,
    controlNeeds: forControls,
    ...withWrongKey('updates', 'longer'),
  },
  'updates/bearer-only': {
    statement: 'The server accepts the API key only as a bearer token.',
    because: 'the section Authentication has the bearer token as the only scheme',
    section: 'Authentication',
    needs: ['incident status key', 'test incident', 'write requests'],
    controlNeeds: ['update body'],
    ...bearerOnly,
    tolerances: {
      ...bearerOnly.tolerances,
      'case-sensitive-scheme': 'The server may accept or reject the lowercase scheme name bearer.',
    },
  },
  'updates/no-scopes': {
    statement: 'The API key needs no scopes.',
    section: 'Authentication',
    untestable: 'The document defines no scopes for API keys, so there is none to omit.',
  },
  'updates/incident-id-required': {
    since: '0.2.0',
    statement: 'An update request names its incident in the path.',
    section: 'Resources and their fields',
    untestable:
      'Without an incident ID the request has another path, for which the document states nothing.',
  },
  ...versioning,
}

const observations: Record<string, SuiteObservation<Context>> = {
  ...observationsOf(
    'updates',
    'an update request',
    ['accepted', 'credentials-required'],
    { 'unknown-incident': ['accepted', 'unknown', 'for an incident that does not exist'] },
    'missing-credentials',
  ),
  'updates/lower-case-bearer': {
    of: ['updates/bearer-only'],
    description: 'Status code of an update request with the lowercase scheme name bearer.',
    async value(context) {
      const isAccepted = (await successOf('updates')(context)) !== undefined
      const lowerCase: KeyedCase = { ...thirdUpdate, key: 'none', place: 'bearer' }
      return isAccepted ? statusOf(lowerCase)(context) : undefined
    },
  },
}

export const service = defineService({
  about: "updates of an incident's timeline",
  suite: keyedSuite(
    'incidentStatus',
    { service: 'incident-status', document: 'Incident Status Service HTTP API', needs },
    { requirements, observations },
    {
      createContext,
      preflight({ target: { baseUrl }, sender }) {
        const request = (key: 'none' | 'right') => () => sender.send({ ...update, key })
        const address = { ...incidentStatusAddress, baseUrl }
        return requireService(address, request('none'), request('right'))
      },
    },
  ),
  variables: incidentStatusVariables,
  firstPath: '/v1/incidents/plumbline/updates',
  doctor: async () => (await import('./doctor.ts')).incidentStatusDoctor,
})
