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

/** Keys that are nearly right, by what is wrong with the comparison. */
const comparisons: Readonly<Record<string, (presented: string, key: string) => boolean>> = {
  'update-accepted-with-shortened-key': (presented, key) => key.startsWith(presented),
  'update-accepted-with-lengthened-key': (presented, key) => presented.startsWith(key),
  'key-checked-by-its-first-eight': (presented, key) => presented.slice(0, 8) === key.slice(0, 8),
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
  {
    name: 'incident-missing-key-error-sent-with-200',
    requirements: [`${section}/credentials-required`, `${section}/bearer-only`],
    change: replaceRule('missingKey', (documented) => (context) => ({
      ...documented(context),
      status: 200,
    })),
  },
  {
    name: 'incident-wrong-key-error-sent-with-202',
    requirements: [`${section}/key-checked`],
    change: replaceRule('wrongKey', (documented) => (context) => ({
      ...documented(context),
      status: 202,
    })),
  },
  ...Object.entries(comparisons).map(([words, holds]) => ({
    name: `incident-${words}`,
    requirements: [`${section}/key-checked`],
    change: replaceRule(
      'keyHolds',
      (documented) => (key, context) =>
        holds(key, context.deployment.key) || documented(key, context),
    ),
  })),
  ...Object.entries(otherPlaces).map(([words, isThere]) => ({
    name: `incident-update-accepted-with-${words}`,
    requirements: [`${section}/bearer-only`],
    change: replaceRule(
      'accepts',
      (documented) => (presented, context) => isThere(presented) || documented(presented, context),
    ),
  })),
]
