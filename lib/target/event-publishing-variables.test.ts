import { describe, expect, it } from 'vitest'
import { targetOf } from './complete-environment.fixture.ts'

const baseUrl = { EVENT_PUBLISHING_BASE_URL: 'https://events.example.com' }

const eventPublishingOf = (environment: NodeJS.ProcessEnv) =>
  targetOf({ ...baseUrl, ...environment }).eventPublishing

describe('an event publishing service', () => {
  it('has the defaults of the table for all that is not set, and no key for what is absent', () => {
    expect(eventPublishingOf({})).toStrictEqual({
      baseUrl: 'https://events.example.com',
      eventType: 'conformance.probe',
      eventTypeConfigured: false,
      eventPayload: '{"source":"plumbline"}',
    })
  })

  it('may be the only one', () => {
    expect(Object.keys(targetOf(baseUrl))).toEqual(['eventPublishing', 'probe'])
  })

  it.each([
    ['https://events.example.com///', 'https://events.example.com'],
    ['HTTPS://Events.Example.com:443/Bus//', 'https://events.example.com/Bus'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    ['https://events.example.com/v1/bus', 'https://events.example.com/v1/bus'],
    ['https://events.example.com/bus-v1', 'https://events.example.com/bus-v1'],
    ['https://events.example.com/v2', 'https://events.example.com/v2'],
    ['  https://events.example.com\n', 'https://events.example.com'],
  ])('reads the base URL %j as %j', (text, expected) => {
    expect(eventPublishingOf({ EVENT_PUBLISHING_BASE_URL: text })?.baseUrl).toBe(expected)
  })

  it.each(['key1', 'k'.repeat(4096), 'evk_0123456789abcdef', 'a:b=c/d+e~"{}'])(
    'takes the API key %j',
    (text) => {
      expect(eventPublishingOf({ EVENT_PUBLISHING_API_KEY: text })?.apiKey).toBe(text)
    },
  )
})

describe('the type of published events', () => {
  it.each(['order.created', 'Order Created', 'création', 'x'])('may be %j', (text) => {
    expect(eventPublishingOf({ EVENT_PUBLISHING_EVENT_TYPE: ` ${text} ` })).toMatchObject({
      eventType: text,
      eventTypeConfigured: true,
    })
  })

  it('counts as named by the operator also when it is the default', () => {
    const environment = { EVENT_PUBLISHING_EVENT_TYPE: 'conformance.probe' }
    expect(eventPublishingOf(environment)?.eventTypeConfigured).toBe(true)
  })

  it('does not count as named when it is empty', () => {
    expect(eventPublishingOf({ EVENT_PUBLISHING_EVENT_TYPE: ' ' })).toMatchObject({
      eventType: 'conformance.probe',
      eventTypeConfigured: false,
    })
  })
})

describe('what the operator supplies', () => {
  it.each(['{}', '{\n"a": {"b": [1, null, "ü"]}\n}', '{"__proto__":{"a":1e400},"b":1.0}'])(
    'has the payload %j as it is',
    (text) => {
      const environment = { EVENT_PUBLISHING_EVENT_PAYLOAD: ` ${text}\n` }
      expect(eventPublishingOf(environment)?.eventPayload).toBe(text)
    },
  )

  it.each(['evt_1', '7', 'a b', 'a/b', 'a%2Fb', '...', 'é'])('has the id %j as it is', (text) => {
    expect(eventPublishingOf({ EVENT_PUBLISHING_EVENT_ID: text })?.eventId).toBe(text)
  })

  it.each(['/id', '/', '/event/id', '/events/0/id', '/a~1b/m~0n', '/a b', '//'])(
    'has the pointer %j as it is',
    (text) => {
      const environment = { EVENT_PUBLISHING_EVENT_ID_POINTER: text }
      expect(eventPublishingOf(environment)?.eventIdPointer).toBe(text)
    },
  )

  it.each(['{"a" :  1}', '[]', 'null', '"text"', '12345678901234567890', '{"a":1,"a":2}'])(
    'has the body of a replay, %j, as it is',
    (text) => {
      const environment = { EVENT_PUBLISHING_REPLAY_BODY: `${text}\n` }
      expect(eventPublishingOf(environment)?.replayBody).toBe(text)
    },
  )

  it('may hold both an id and a pointer', () => {
    const environment = {
      EVENT_PUBLISHING_EVENT_ID: 'evt_1',
      EVENT_PUBLISHING_EVENT_ID_POINTER: '/id',
    }
    expect(eventPublishingOf(environment)).toMatchObject({
      eventId: 'evt_1',
      eventIdPointer: '/id',
    })
  })
})
