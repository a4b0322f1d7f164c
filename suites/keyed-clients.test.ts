import { expect, it } from 'vitest'
import { headerKey } from '../lib/probe/credentials.ts'
import type { Exchange, Send } from '../lib/probe/exchange.ts'
import { createEventPublishingClient } from './event-publishing/client.ts'
import { createIncidentStatusClient } from './incident-status/client.ts'

const credentials = headerKey('X-Events-Key', 'a-key')
const json = { Accept: 'application/json' }
const jsonBody = { ...json, 'Content-Type': 'application/json' }
const id = 'a/b?c#d%'

const sent: Parameters<Send>[0][] = []
const send: Send = async (request) => {
  sent.push(request)
  return {} as Exchange
}
const events = createEventPublishingClient('https://host.test/events', send)
const incidents = createIncidentStatusClient('https://host.test/status', send)

const payload = '{"__proto__": {"size": 12345678901234567890}}'
const once = { ...jsonBody, 'Idempotency-Key': 'once' }

it.each<[path: string, request: object, call: () => Promise<unknown>]>([
  [
    '/events/v1/events',
    { method: 'POST', headers: once, body: `{"type":"a.b","payload":${payload}}` },
    () => events.publish({ type: 'a.b', payload }, { credentials, idempotencyKey: 'once' }),
  ],
  [
    '/events/v1/events',
    { headers: jsonBody, body: '{}' },
    () => events.publish({}, { credentials }),
  ],
  [
    '/events/v1/events/a%2Fb%3Fc%23d%25',
    { method: 'GET', fresh: true },
    () => events.status(id, { credentials, fresh: true }),
  ],
  [
    '/events/v1/events/a%2Fb%3Fc%23d%25/replay',
    { method: 'POST', headers: json },
    () => events.replay(id, { credentials }),
  ],
  [
    '/events/v1/events/e/replay',
    { headers: jsonBody, body: '{"to":"all"}' },
    () => events.replay('e', { credentials, body: '{"to":"all"}' }),
  ],
  [
    '/status/v1/incidents/a%2Fb%3Fc%23d%25/updates',
    { method: 'POST', headers: jsonBody, body: '{ "a": 1 }' },
    () => incidents.update(id, { credentials, body: '{ "a": 1 }' }),
  ],
])('sends a request to %s: %j', async (path, expected, call) => {
  await call()
  const request = sent.pop()
  expect(request?.url.href).toBe(`https://host.test${path}`)
  expect(request).toMatchObject({ credentials, ...expected })
})
