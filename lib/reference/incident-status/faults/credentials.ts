import type { PresentedKey } from '../../keyed-service/presented-keys.ts'
import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'incident-status/updates'

const otherPlaces: Readonly<Record<string, (presented: PresentedKey) => boolean>> = {
  'basic-username': ({ place }) => place === 'basic-username',
  'basic-password': ({ place }) => place === 'basic-password',
  'token-scheme': ({ place }) => place === 'token',
  'bare-key': ({ place }) => place === 'bare',
  'api-key-header': ({ place, name }) => place === 'header' && name === 'x-api-key',
  'events-key-header': ({ place, name }) => place === 'header' && name === 'x-events-key',
  'key-in-query': ({ place }) => place === 'query',
}

/** Faults in how callers are told from others. */
export const credentialFaults: readonly Fault[] = [
  {
    name: 'incident-update-accepted-without-credentials',
    // Credentials of any other form are missing ones too.
    requirements: [`${section}/credentials-required`, `${section}/bearer-only`],
    change: replaceRule('keyNeeded', () => () => false),
  },
  {
    name: 'incident-update-accepted-with-wrong-key',
    requirements: [`${section}/key-checked`],
    change: replaceRule('keyHolds', () => () => true),
  },
  ...Object.entries(otherPlaces).map(([words, isThere]) => ({
    name: `incident-update-accepted-with-${words}`,
    requirements: [`${section}/bearer-only`],
    change: replaceRule(
      'accepts',
      (documented) => (presented, context) => isThere(presented) || documented(presented, context),
    ),
  })),
]
