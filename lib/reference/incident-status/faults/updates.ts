import { jsonParts } from '../../http/response-parts.ts'
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
