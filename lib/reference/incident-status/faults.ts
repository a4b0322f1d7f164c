import { HttpError, jsonParts, responseParts } from '../http.ts'
import { acceptedAt, keysTaken } from '../keyed-changes.ts'
import { faultsOf, type Rules, refused, within } from './rules.ts'

const answeredWith = (body: string): Partial<Rules> => ({
  updatedParts: () => responseParts(200, { 'Content-Type': 'application/json' }, body),
})

const updateRefusedWith = (status: number, message: string): Partial<Rules> => ({
  updateRefused: () => new HttpError(status, message),
})

const contentOn204 = 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'

export const faults = faultsOf('updates', {
  'no-response-body': {
    'incident-update-answered-with-body': { updatedParts: (update) => jsonParts(200, update) },
    'incident-update-answered-with-null': answeredWith('null'),
    'incident-update-answered-with-an-empty-object': answeredWith('{}'),
    'incident-update-answered-with-text': answeredWith('The incident was updated.'),
    'incident-content-on-no-content': {
      updatedParts: () => ({ ...responseParts(204), raw: contentOn204 }),
    },
  },
  accepted: {
    'incident-update-answered-with-a-redirect': {
      updatedParts: (_update, { url }) => responseParts(303, { Location: url.href }),
    },
    'incident-update-refused': updateRefusedWith(403, 'the key has no scope for updates'),
    'incident-update-answered-with-500': updateRefusedWith(500, 'internal error'),
  },
  // Credentials of any other form are missing ones too.
  'credentials-required + bearer-only': {
    'incident-missing-key-accepted-where-no-update-is-told': within('incident-update-body-untold', {
      keyNeeded: () => false,
      malformedBody: () => new HttpError(200, 'nothing was added'),
    }),
    'incident-update-accepted-without-credentials': { keyNeeded: () => false },
    'incident-missing-key-error-sent-with-200': refused('missingKey', 200),
  },
  'key-checked': {
    'incident-update-accepted-with-wrong-key': keysTaken.any,
    'incident-wrong-key-error-sent-with-202': refused('wrongKey', 202),
    'incident-update-accepted-with-shortened-key': keysTaken.shortened,
    'incident-update-accepted-with-lengthened-key': keysTaken.lengthened,
    'incident-key-checked-by-its-first-eight': keysTaken.ofSameBeginning,
    'incident-update-accepted-with-key-in-another-case': keysTaken.inAnyCase,
    'incident-update-accepted-with-bearer-and-no-key': keysTaken.orEmpty,
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
