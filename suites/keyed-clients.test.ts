import { expect, it } from 'vitest'
import { headerKey } from '../lib/probe/credentials.ts'
import type { Exchange, ServiceRequest } from '../lib/probe/exchange.ts'
import { createEventPublishingClient } from './event-publishing/client.ts'
import { createIncidentStatusClient } from './incident-status/client.ts'

const credentials = headerKey('X-Events-Key', 'a-key')
const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
const id = 'a/b?c#d%'
const event = { type: 'a.b', payload: '{"__proto__": {"size": 12345678901234567890}}' }

const sent: ServiceRequest[] = []
const send = async (request: ServiceRequest) => {
  sent.push(request)
  return {} as Exchange
}
const events = createEventPublishingClient('https://host.test/events', send)
const incidents = createIncidentStatusClient('https://host.test/status', send)

it.each<[string, object, () => Promise<unknown>]>([
  [
    '/events/v1/events',
    {
      ...{ method: 'POST', headers: { ...headers, 'Idempotency-Key': 'once' } },
      body: '{"type":"a.b","payload":{"__proto__": {"size": 12345678901234567890}}}',
    },
    () => events.publish(event, { credentials, idempotencyKey: 'once' }),
  ],
  ['/events/v1/events', { headers, body: '{}' }, () => events.publish({}, { credentials })],
  [
    '/events/v1/events/a%2Fb%3Fc%23d%25',
    { method: 'GET', fresh: true },
    () => events.status(id, { credentials, fresh: true }),
  ],
  [
    '/events/v1/events/a%2Fb%3Fc%23d%25/replay',
    { method: 'POST', headers: { Accept: 'application/json' } },
    () => events.replay(id, { credentials }),
  ],
  [
    '/events/v1/events/e/replay',
    { headers, body: '{"to":"all"}' },
    () => events.replay('e', { credentials, body: '{"to":"all"}' }),
  ],
  [
    '/status/v1/incidents/a%2Fb%3Fc%23d%25/updates',
    { method: 'POST', headers, body: '{ "a": 1 }' },
    () => incidents.update(id, { credentials, body: '{ "a": 1 }' }),
  ],
])('sends a request to %s: %j', async (path, expected, call) => {
  await call()
  const request = sent.at(-1)
  expect(request?.url.href).toBe(`https://host.test${path}`)
  expect(request).toMatchObject({ credentials, ...expected })
})
