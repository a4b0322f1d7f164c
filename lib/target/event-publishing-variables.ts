import { urlAboveVersion, type Variable, type VariableGroup } from './variable.ts'

export const eventPublishingVariables = {
  EVENT_PUBLISHING_BASE_URL: {
    schema: urlAboveVersion,
    meaning: 'Where the service is, without /v1; it may have a path.',
    example: 'https://events.example.com',
    secret: false,
  },
  EVENT_PUBLISHING_API_KEY: {
    schema: { type: 'string', format: 'api-key' },
    meaning: 'The API key that requests carry in X-Events-Key.',
    secret: true,
  },
  EVENT_PUBLISHING_EVENT_TYPE: {
    // The document leaves open which types a server allows, so its operator has the last word.
    schema: { type: 'string', format: 'event-type' },
    default: 'conformance.probe',
    meaning: 'Type of the events that are published; once set, a refused event fails the run.',
    example: 'order.created',
    secret: false,
  },
  EVENT_PUBLISHING_EVENT_PAYLOAD: {
    schema: { type: 'string', format: 'json-object' },
    default: '{"source":"plumbline"}',
    meaning: 'Payload of the events that are published, a JSON object.',
    example: '{"order":1}',
    secret: false,
  },
  EVENT_PUBLISHING_EVENT_ID: {
    schema: { type: 'string', format: 'path-segment' },
    meaning: 'Id of a published event, in place of the one that the answer to publishing names.',
    example: 'evt_123',
    secret: false,
  },
  EVENT_PUBLISHING_EVENT_ID_POINTER: {
    schema: { type: 'string', format: 'json-pointer' },
    meaning: 'JSON Pointer to the id of the event in the answer to publishing.',
    example: '/event/id',
    secret: false,
  },
  EVENT_PUBLISHING_REPLAY_BODY: {
    schema: { type: 'string', format: 'json' },
    meaning: 'JSON that a replay sends, for a service that expects some.',
    example: '{"reason":"probe"}',
    secret: false,
  },
} as const satisfies Record<string, Variable>

export const eventPublishingGroup: VariableGroup = {
  title: 'Event publishing',
  prefix: 'EVENT_PUBLISHING_',
  variables: eventPublishingVariables,
  baseUrl: 'EVENT_PUBLISHING_BASE_URL',
  needs: {},
  needsOneOf: {},
  distinct: [],
}
