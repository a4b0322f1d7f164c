import { describe, expect, it } from 'vitest'
import { bearer, headerKey } from '../lib/probe/credentials.ts'
import type { Exchange, Send } from '../lib/probe/exchange.ts'
import { createEventPublishingClient } from './event-publishing/client.ts'
import { createIncidentStatusClient } from './incident-status/client.ts'

type SentRequest = Parameters<Send>[0]

function recording(): { send: Send; sent: SentRequest[] } {
  const sent: SentRequest[] = []
  const send: Send = async (request) => {
    sent.push(request)
    return {} as Exchange
  }
  return { send, sent }
}

const credentials = headerKey('X-Events-Key', 'a-key')

describe('the event publishing client', () => {
  it('publishes JSON below the base URL, with the key and an Idempotency-Key', async () => {
    const { send, sent } = recording()
    const client = createEventPublishingClient('https://host.test/events', send)
    const event = { type: 'a.b', payload: '{"__proto__": {"size": 12345678901234567890}}' }
    await client.publish(event, { credentials, idempotencyKey: 'once' })

    expect(sent[0]).toMatchObject({
      endpoint: 'POST /v1/events',
      method: 'POST',
      credentials,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
      body: '{"type":"a.b","payload":{"__proto__": {"size": 12345678901234567890}}}',
    })
    expect(sent[0]?.url.href).toBe('https://host.test/events/v1/events')
  })

  it('sends no Idempotency-Key unless there is one', async () => {
    const { send, sent } = recording()
    await createEventPublishingClient('https://host.test', send).publish({}, { credentials })

    expect(Object.keys(sent[0]?.headers ?? {})).not.toContain('Idempotency-Key')
  })

  it.each([
    ['evt-1', 'evt-1'],
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['50%', '50%25'],
  ])('addresses the event %s by one path segment', async (id, segment) => {
    const { send, sent } = recording()
    const client = createEventPublishingClient('https://host.test', send)
    await client.status(id, { credentials, fresh: true })
    await client.replay(id, { credentials })

    expect(sent.map(({ url }) => url.href)).toEqual([
      `https://host.test/v1/events/${segment}`,
      `https://host.test/v1/events/${segment}/replay`,
    ])
    expect(sent[0]?.fresh).toBe(true)
  })

  it('replays with a body, and its media type, only where one is given', async () => {
    const { send, sent } = recording()
    const client = createEventPublishingClient('https://host.test', send)
    await client.replay('e', { credentials })
    await client.replay('e', { credentials, body: '{"to":"all"}' })

    expect(sent[0]?.body).toBeUndefined()
    expect(sent[0]?.headers).toEqual({ Accept: 'application/json' })
    expect(sent[1]).toMatchObject({
      body: '{"to":"all"}',
      headers: { 'Content-Type': 'application/json' },
    })
  })
})

describe('the incident status client', () => {
  it('adds an update to the incident, with the body as it was given', async () => {
    const { send, sent } = recording()
    const client = createIncidentStatusClient('https://host.test/status', send)
    await client.update('INC 1/2', { credentials: bearer('a-key'), body: '{ "a": 1 }' })

    expect(sent[0]).toMatchObject({
      endpoint: 'POST /v1/incidents/{incidentId}/updates',
      method: 'POST',
      body: '{ "a": 1 }',
      credentials: bearer('a-key'),
    })
    expect(sent[0]?.url.href).toBe('https://host.test/status/v1/incidents/INC%201%2F2/updates')
  })
})
