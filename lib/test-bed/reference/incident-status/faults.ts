import { HttpError, jsonParts, responseParts } from '../http.ts'
import { acceptedAt, acceptedKeys, keyedOnce, unkeyedOfProxy } from '../keyed-changes.ts'
import { after, alter, faultsOf, type Rules, reject } from './rules.ts'

const rejectUpdate = (status: number, message: string): Partial<Rules> => ({
  updateError: () => new HttpError(status, message),
})

const failing = (isFailing: (count: number) => boolean) => (rules: Rules) => {
  let count = 0
  return alter('timelineOf', (timeline) => {
    count += 1
    if (isFailing(count)) throw new HttpError(500, 'internal error')
    return timeline
  })(rules)
}

/** These count requests of every incident. */
const everySecondUpdate = failing((count) => count % 2 === 0)
const fromThirdUpdateOn = failing((count) => count >= 3)

const contentOn204 = 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'

const keyBehind = (scheme: RegExp) =>
  alter('presentedKey', async (key, { headers }) => {
    const [, rest] = scheme.exec(headers.get('Authorization') ?? '') ?? []
    return rest ?? (await key)
  })

const updates = faultsOf('updates')

export const faults = [
  updates('no-response-body', {
    'incident-content-on-no-content': {
      updatedParts: () => ({ ...responseParts(204), raw: contentOn204 }),
    },
    // The response has no body, whatever media type the client accepts.
    'incident-body-for-clients-that-accept-json': alter(
      'updatedParts',
      (parts, update, { headers }) =>
        headers.get('Accept')?.includes('application/json') ? jsonParts(200, update) : parts,
    ),
    // The response has no body, also to an update that the incident holds already.
    'incident-body-for-identical-update': ({ updatedParts }) => {
      const added = new Set<string>()
      return {
        updatedParts: (update, context) => {
          const content = JSON.stringify([context.parameters.incidentId, update])
          if (added.has(content)) return jsonParts(200, update)
          added.add(content)
          return updatedParts(update, context)
        },
      }
    },
  }),
  updates('accepted', {
    'incident-update-redirected': {
      updatedParts: (_update, { url }) => responseParts(303, { Location: url.href }),
    },
    'incident-update-rejected': rejectUpdate(403, 'the key has no scope for updates'),
    'incident-update-fails-with-500': rejectUpdate(500, 'internal error'),
    'incident-third-update-fails-with-500': fromThirdUpdateOn,
    'incident-every-second-update-fails-with-500': everySecondUpdate,
    // No scopes are required, also on a connection on which a request was rejected.
    'incident-scope-needed-after-rejection-on-connection': after(
      ['wrongKey', 'missingKey'],
      ({ connection }) => connection,
      rejectUpdate(403, 'insufficient_scope: incidents:write'),
    ),
  }),
  // Credentials of another form count as missing.
  updates('credentials-required', {
    'incident-user-named-by-a-proxy-needs-no-key': unkeyedOfProxy,
  }),
  updates(['credentials-required', 'bearer-only'], {
    'incident-missing-key-accepted-without-update in incident-update-body-unset': {
      keyNeeded: () => false,
      malformedBody: () => new HttpError(200, 'nothing was added'),
    },
    'incident-key-needed-once-per-connection': keyedOnce('unkeyed'),
  }),
  updates('key-checked', {
    'incident-wrong-key-error-sent-with-202': reject('wrongKey', 202),
    'incident-update-accepted-with-lengthened-key': acceptedKeys.lengthened,
    'incident-key-checked-without-its-first-four': acceptedKeys.exceptFirst,
    'incident-key-checked-without-its-last-four': acceptedKeys.exceptLast,
    'incident-update-accepted-with-key-in-another-case': acceptedKeys.inAnyCase,
    'incident-update-accepted-with-bearer-and-no-key': acceptedKeys.orEmpty,
    // The bearer token is the API key, not a list with it.
    'incident-key-of-300-characters-accepted': alter(
      'isKeyValid',
      (valid, key) => valid || key.length > 255,
    ),
    'incident-key-accepted-in-a-list': alter('presentedKey', async (key, { headers, server }) =>
      (headers.get('Authorization') ?? '').endsWith(`, ${server.key}`) ? server.key : key,
    ),
  }),
  updates('bearer-only', {
    'incident-update-accepted-with-basic-password': acceptedAt('basic-password'),
    'incident-update-accepted-with-bare-key': acceptedAt('bare'),
    'incident-update-accepted-with-key-in-query': acceptedAt('query'),
    'incident-update-accepted-with-key-in-body': acceptedAt('body'),
    // Bearer is the single accepted scheme, also after a request that had it.
    'incident-token-scheme-accepted-after-a-success': after(
      ['isKeyValid'],
      ({ connection }) => connection,
      acceptedAt('token'),
    ),
    // A scheme of nearly the same name is another one.
    'incident-scheme-with-a-colon-accepted': keyBehind(/^bearer: *(\S+)$/i),
    'incident-scheme-compared-by-its-start': keyBehind(/^bearer\w* (\S+)$/i),
    'incident-key-accepted-after-bearer-in-another-field': alter(
      'presentedKey',
      async (key, { headers }) =>
        (await key) ?? /^Bearer (.*)$/.exec(headers.get('X-Authorization') ?? '')?.[1],
    ),
  }),
  updates('credentials-required', {
    // The endpoint needs the bearer key, in whatever way the client encodes the incident's identifier.
    'incident-encoded-path-needs-no-key': alter(
      'keyNeeded',
      (needed, { url }) => needed && !url.pathname.includes('%'),
    ),
    // The endpoint needs the bearer key, whatever the content type of the update.
    'incident-update-as-text-needs-no-key': alter(
      'keyNeeded',
      (needed, { headers }) => needed && !/text/.test(headers.get('Content-Type') ?? ''),
    ),
  }),
].flat()
