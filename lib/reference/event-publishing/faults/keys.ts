import type { PresentedKey } from '../../keyed-service/presented-keys.ts'
import type { Fault } from '../fault.ts'
import type { Endpoint } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

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

/** Keys that are nearly right, by what is wrong with the comparison. */
const comparisons: Readonly<Record<string, (presented: string, key: string) => boolean>> = {
  shortened: (presented, key) => key.startsWith(presented),
  lengthened: (presented, key) => presented.startsWith(key),
}

function nearlyRightKeyAccepted(endpoint: Endpoint): readonly Fault[] {
  return Object.entries(comparisons).map(([way, holds]) => ({
    name: `event-${way}-key-accepted-on-${endpoint}`,
    requirements: [`event-publishing/${endpoint}/key-checked`],
    change: replaceRule(
      'keyHolds',
      (documented) => (key, context) =>
        (context.endpoint === endpoint && holds(key, context.deployment.key)) ||
        documented(key, context),
    ),
  }))
}

/** Tells a refusal with a status of success. */
function sentWith200(rule: 'missingKey' | 'wrongKey', endpoint: Endpoint): RuleChange {
  return replaceRule(rule, (documented) => (context) => {
    const refusal = documented(context)
    return context.endpoint === endpoint ? { ...refusal, status: 200 } : refusal
  })
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

function anotherHeaderWanted(endpoint: Endpoint): RuleChange {
  return replaceRule('accepts', (documented) => (presented, context) => {
    if (context.endpoint !== endpoint) return documented(presented, context)
    return presented.place === 'header' && presented.name === `x-${endpoint}-key`
  })
}

/** Faults in how callers are told from others. */
export const keyFaults: readonly Fault[] = [
  ...endpoints.map(missingKeyAccepted),
  ...endpoints.map(wrongKeyAccepted),
  ...endpoints.flatMap(nearlyRightKeyAccepted),
  ...endpoints.flatMap(keyAcceptedElsewhere),
  {
    name: 'event-key-checked-by-its-first-eight-on-publish',
    requirements: ['event-publishing/publish/key-checked'],
    change: replaceRule('keyHolds', (documented) => (key, context) => {
      if (context.endpoint !== 'publish') return documented(key, context)
      return key.slice(0, 8) === context.deployment.key.slice(0, 8)
    }),
  },
  ...endpoints.map((endpoint) => ({
    name: `event-missing-key-error-sent-with-200-for-${endpoint}`,
    requirements: [
      `event-publishing/${endpoint}/key-required`,
      `event-publishing/${endpoint}/key-in-header`,
    ],
    change: sentWith200('missingKey', endpoint),
  })),
  {
    name: 'event-wrong-key-error-sent-with-200-for-replay',
    requirements: ['event-publishing/replay/key-checked'],
    change: sentWith200('wrongKey', 'replay'),
  },
  {
    name: 'event-publish-wants-another-header',
    requirements: ['event-publishing/publish/accepted'],
    change: anotherHeaderWanted('publish'),
  },
  {
    name: 'event-status-wants-another-header',
    requirements: ['event-publishing/status/readable'],
    change: anotherHeaderWanted('status'),
  },
  {
    name: 'event-replay-wants-another-header',
    requirements: ['event-publishing/replay/accepted'],
    change: anotherHeaderWanted('replay'),
  },
]
