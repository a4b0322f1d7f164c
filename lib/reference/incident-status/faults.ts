import { jsonParts, responseParts } from '../http.ts'
import { acceptedAt } from '../keyed-service.ts'
import { faultsOf, type Rules, refused, within } from './rules.ts'

function answeredWith(body: string): Partial<Rules> {
  return { updatedParts: () => responseParts(200, { 'Content-Type': 'application/json' }, body) }
}

/** Every fault of the incident status service. */
export const faults = faultsOf('updates', {
  'no-response-body': {
    'incident-update-answered-with-body': { updatedParts: (update) => jsonParts(200, update) },
    'incident-update-answered-with-null': answeredWith('null'),
    'incident-update-answered-with-an-empty-object': answeredWith('{}'),
    'incident-update-answered-with-text': answeredWith('The incident was updated.'),
    'incident-content-on-no-content': {
      updatedParts: () => ({
        ...responseParts(204),
        raw: 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
      }),
    },
  },
  accepted: {
    'incident-update-answered-with-a-redirect': {
      updatedParts: (_update, { url }) => responseParts(303, { Location: url.href }),
    },
    'incident-update-refused': {
      updateRefused: () => ({ status: 403, message: 'the key has no scope for updates' }),
    },
    'incident-update-answered-with-500': {
      updateRefused: () => ({ status: 500, message: 'internal error' }),
    },
    'incident-unknown-although-it-exists': { timelineOf: () => undefined },
  },
  // Credentials of any other form are missing ones too.
  'credentials-required + bearer-only': {
    'incident-missing-key-accepted-where-no-update-is-told': within('incident-update-body-untold', {
      keyNeeded: () => false,
      malformedBody: () => ({ status: 200, message: 'nothing was added' }),
    }),
    'incident-update-accepted-without-credentials': { keyNeeded: () => false },
    'incident-missing-key-error-sent-with-200': refused('missingKey', 200),
  },
  'key-checked': {
    'incident-update-accepted-with-wrong-key': { keyHolds: () => true },
    'incident-wrong-key-error-sent-with-202': refused('wrongKey', 202),
    'incident-update-accepted-with-shortened-key': {
      keyHolds: (key, { deployment }) => deployment.key.startsWith(key),
    },
    'incident-update-accepted-with-lengthened-key': {
      keyHolds: (key, { deployment }) => key.startsWith(deployment.key),
    },
    'incident-key-checked-by-its-first-eight': {
      keyHolds: (key, { deployment }) => key.slice(0, 8) === deployment.key.slice(0, 8),
    },
  },
  'bearer-only': {
    'incident-update-accepted-with-basic-username': acceptedAt('basic-username'),
    'incident-update-accepted-with-basic-password': acceptedAt('basic-password'),
    'incident-update-accepted-with-token-scheme': acceptedAt('token'),
    'incident-update-accepted-with-bare-key': acceptedAt('bare'),
    'incident-update-accepted-with-api-key-header': acceptedAt('header', 'x-api-key'),
    'incident-update-accepted-with-events-key-header': acceptedAt('header', 'x-events-key'),
    'incident-update-accepted-with-key-in-query': acceptedAt('query'),
  },
})
