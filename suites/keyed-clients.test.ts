import { expect, it } from 'vitest'
import { headerKey } from '../lib/probe/credentials.ts'
import type { Exchange, Send } from '../lib/probe/exchange.ts'
import { createEventPublishingClient } from './event-publishing/client.ts'
import { createIncidentStatusClient } from './incident-status/client.ts'

const credentials = headerKey('X-Events-Key', 'a-key')
const json = { Accept: 'application/json' }
const jsonBody = { ...json, 'Content-Type': 'application/json' }
const id = 'a/b?c#d%'

type Clients = ReturnType<typeof clientsWith>

function clientsWith(send: Send) {
  return {
    events: createEventPublishingClient('https://host.test/events', send),
    incidents: createIncidentStatusClient('https://host.test/status', send),
  }
}

it.each<[string, object, (clients: Clients) => Promise<unknown>]>([
  [
    '/events/v1/events',
    {
      method: 'POST',
      headers: { ...jsonBody, 'Idempotency-Key': 'once' },
      body: '{"type":"a.b","payload":{"__proto__": {"size": 12345678901234567890}}}',
    },
    ({ events }) =>
      events.publish(
        { type: 'a.b', payload: '{"__proto__": {"size": 12345678901234567890}}' },
        { credentials, idempotencyKey: 'once' },
      ),
  ],
  [
    '/events/v1/events',
    { headers: jsonBody, body: '{}' },
    ({ events }) => events.publish({}, { credentials }),
  ],
  [
    '/events/v1/events/a%2Fb%3Fc%23d%25',
    { method: 'GET', fresh: true },
    ({ events }) => events.status(id, { credentials, fresh: true }),
  ],
  [
    '/events/v1/events/a%2Fb%3Fc%23d%25/replay',
    { method: 'POST', headers: json },
    ({ events }) => events.replay(id, { credentials }),
  ],
  [
    '/events/v1/events/e/replay',
    { headers: jsonBody, body: '{"to":"all"}' },
    ({ events }) => events.replay('e', { credentials, body: '{"to":"all"}' }),
  ],
  [
    '/status/v1/incidents/a%2Fb%3Fc%23d%25/updates',
    { method: 'POST', headers: jsonBody, body: '{ "a": 1 }' },
    ({ incidents }) => incidents.update(id, { credentials, body: '{ "a": 1 }' }),
  ],
])('sends a request to %s: %j', async (path, expected, call) => {
  const sent: Parameters<Send>[0][] = []
  const clients = clientsWith(async (request) => {
    sent.push(request)
    return {} as Exchange
  })
  await call(clients)
  expect(sent[0]?.url.href).toBe(`https://host.test${path}`)
  expect(sent[0]).toMatchObject({ credentials, ...expected })
})
