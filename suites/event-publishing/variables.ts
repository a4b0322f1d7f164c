import { type Needs, needOf, writing } from '../../lib/conformance/catalogue.ts'
import {
  apiKey,
  baseUrl,
  documentVariable,
  json,
  pathSegment,
  type TargetOf,
  text,
  type VariableGroup,
  type VariableTable,
} from '../../lib/environment/variable.ts'
import { isJson } from '../../lib/text/json.ts'

/** Type of the published events without a type of the operator. */
export const DEFAULT_TYPE = 'conformance.probe'

const table = {
  baseUrl: {
    name: 'EVENT_PUBLISHING_BASE_URL',
    format: baseUrl('/v1', 'version'),
    meaning: 'Base URL of the service, without /v1; it may have a path.',
    example: 'https://events.example.com',
  },
  apiKey: {
    name: 'EVENT_PUBLISHING_API_KEY',
    format: apiKey,
    meaning: 'API key that requests send in X-Events-Key.',
    secret: true,
  },
  eventType: {
    name: 'EVENT_PUBLISHING_EVENT_TYPE',
    // The document does not state the allowed types, so any text is accepted here.
    format: {
      ...text(
        (value) => /^\P{Cc}+$/u.test(value),
        'must be the type of an event, a single line without control characters',
      ),
      inBodies: true,
    },
    meaning: `Type of the published events, otherwise ${DEFAULT_TYPE}; if set, a rejected event is a failure.`,
    example: 'order.created',
  },
  eventPayload: {
    name: 'EVENT_PUBLISHING_EVENT_PAYLOAD',
    format: {
      ...text(
        (value) => value.trimStart().startsWith('{') && isJson(value),
        'must be a JSON object; in an environment file put it in single quotes',
      ),
      inBodies: true,
    },
    default: '{"source":"plumbline"}',
    meaning: 'Payload of the published events, a JSON object.',
    example: '{"order":1}',
  },
  /** Not percent-encoded; takes precedence over the pointer. */
  eventId: {
    name: 'EVENT_PUBLISHING_EVENT_ID',
    format: pathSegment,
    meaning: 'ID of a published event, instead of the ID in the publish response.',
    example: 'evt_123',
    identifies: true,
  },
  eventIdPointer: {
    name: 'EVENT_PUBLISHING_EVENT_ID_POINTER',
    format: text(
      (value) => /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(value),
      'must be a JSON Pointer, which starts with a slash; within a name ~1 is a slash and ~0 a tilde',
    ),
    meaning: 'JSON Pointer to the event ID in the publish response.',
    example: '/event/id',
  },
  replayBody: {
    name: 'EVENT_PUBLISHING_REPLAY_BODY',
    format: json,
    meaning: 'JSON body of a replay, for a service that requires one.',
    example: '{"reason":"probe"}',
  },
  documentUrl: documentVariable('EVENT_PUBLISHING_'),
} as const satisfies VariableTable

export type EventPublishingTarget = TargetOf<typeof table>

declare module '../../lib/environment/probe-variables.ts' {
  interface Target {
    eventPublishing?: EventPublishingTarget
  }
}

/** Variable of the base URL, and the path of the API below it. */
export const eventPublishingAddress = { variable: table.baseUrl.name, path: '/v1' } as const

/** Fields that are not the place of the key; none that gateways read, which are in `PROBE_HEADERS`. */
export const otherKeyFields = ['X-Api-Key', 'Api-Key', 'X-Event-Key', 'Events-Key', 'X_Events_Key']

export const eventPublishingVariables = {
  key: 'eventPublishing',
  prefix: 'EVENT_PUBLISHING_',
  table,
  requestFields: ['X-Events-Key', 'Idempotency-Key', ...otherKeyFields],
} as const satisfies VariableGroup

export const needs = {
  'event publishing key': needOf(
    table.apiKey,
    'with the key',
    ({ eventPublishing }) => eventPublishing?.apiKey !== undefined,
  ),
  'write requests': writing,
  'published event': {
    ...writing,
    isMet: ({ eventPublishing, probe }) =>
      eventPublishing?.eventId !== undefined || !probe.readOnly,
  },
} as const satisfies Needs
