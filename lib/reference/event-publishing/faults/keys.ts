import type { PresentedKey } from '../../keyed-service/presented-keys.ts'
import type { Fault } from '../fault.ts'
import type { Endpoint } from '../request-context.ts'
import { replaceRule } from '../rules.ts'

const endpoints: readonly Endpoint[] = ['publish', 'status', 'replay']

const otherPlaces: Readonly<Record<string, (presented: PresentedKey) => boolean>> = {
  'in-query': ({ place }) => place === 'query',
  'as-bearer': ({ place }) => place === 'bearer',
  'as-api-key-header': ({ place, name }) => place === 'header' && name === 'x-api-key',
}

function missingKeyAccepted(endpoint: Endpoint): Fault {
  const section = `event-publishing/${endpoint}`
  return {
    name: `event-missing-key-accepted-on-${endpoint}`,
    // A key anywhere else is a missing one too.
    requirements: [`${section}/key-required`, `${section}/key-in-header`],
    change: replaceRule(
      'keyNeeded',
      (documented) => (context) => context.endpoint !== endpoint && documented(context),
    ),
  }
}

function wrongKeyAccepted(endpoint: Endpoint): Fault {
  return {
    name: `event-wrong-key-accepted-on-${endpoint}`,
    requirements: [`event-publishing/${endpoint}/key-checked`],
    change: replaceRule(
      'keyHolds',
      (documented) => (key, context) => context.endpoint === endpoint || documented(key, context),
    ),
  }
}

function keyAcceptedElsewhere(endpoint: Endpoint): readonly Fault[] {
  return Object.entries(otherPlaces).map(([words, isThere]) => ({
    name: `event-key-accepted-${words}-on-${endpoint}`,
    requirements: [`event-publishing/${endpoint}/key-in-header`],
    change: replaceRule(
      'accepts',
      (documented) => (presented, context) =>
        (context.endpoint === endpoint && isThere(presented)) || documented(presented, context),
    ),
  }))
}

/** Faults in how callers are told from others. */
export const keyFaults: readonly Fault[] = [
  ...endpoints.map(missingKeyAccepted),
  ...endpoints.map(wrongKeyAccepted),
  ...endpoints.flatMap(keyAcceptedElsewhere),
  {
    name: 'event-replay-wants-another-header',
    requirements: ['event-publishing/replay/accepted'],
    change: replaceRule('accepts', (documented) => (presented, context) => {
      if (context.endpoint !== 'replay') return documented(presented, context)
      return presented.place === 'header' && presented.name === 'x-replay-key'
    }),
  },
]
