import { jsonParts, noContentParts } from '../../http/response-parts.ts'
import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'incident-status/updates'

/** Faults in what becomes of an update. */
export const updateFaults: readonly Fault[] = [
  {
    name: 'incident-update-answered-with-body',
    requirements: [`${section}/no-response-body`],
    change: replaceRule(
      'updatedParts',
      () => (update) => jsonParts(200, update, 'application/json'),
    ),
  },
  ...Object.entries({
    null: 'null',
    'an-empty-object': '{}',
    text: 'The incident was updated.',
  }).map(([words, body]) => ({
    name: `incident-update-answered-with-${words}`,
    requirements: [`${section}/no-response-body`],
    change: replaceRule('updatedParts', () => () => ({
      status: 200,
      headers: new Headers({ 'Content-Type': 'application/json' }),
      body,
    })),
  })),
  {
    name: 'incident-content-on-no-content',
    requirements: [`${section}/no-response-body`],
    change: replaceRule('updatedParts', () => () => ({
      ...noContentParts(),
      raw: 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    })),
  },
  {
    name: 'incident-update-answered-with-a-redirect',
    requirements: [`${section}/accepted`],
    change: replaceRule('updatedParts', () => (_update, { url }) => ({
      status: 303,
      headers: new Headers({ Location: url.href }),
    })),
  },
  {
    name: 'incident-update-refused',
    requirements: [`${section}/accepted`],
    change: replaceRule('updateRefused', () => () => ({
      status: 403,
      message: 'the key has no scope for updates',
    })),
  },
  {
    name: 'incident-update-answered-with-500',
    requirements: [`${section}/accepted`],
    change: replaceRule('updateRefused', () => () => ({ status: 500, message: 'internal error' })),
  },
  {
    name: 'incident-unknown-although-it-exists',
    requirements: [`${section}/accepted`],
    change: replaceRule('timelineOf', () => () => undefined),
  },
]
