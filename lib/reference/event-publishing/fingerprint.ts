import { type Answer, written } from '../test-client.ts'
import { type EventClient, plainEvent, type Sent } from './test-client.ts'

/** Requests without the key, and with it at every place and in every form. */
function waysToSendKeys(client: EventClient): [Sent, string?][] {
  const key = client.variable('API_KEY')
  return [
    [{}],
    [{ headers: { 'X-Events-Key': 'wrong' } }],
    [{ authorization: `Bearer ${key}` }],
    [{ headers: { 'X-Api-Key': key } }],
    [{}, `?key=${key}`],
  ]
}

function publishRequests(): [unknown, Record<string, string>?][] {
  const { type } = plainEvent
  return [
    [{ type, payload: { nested: { values: [1] } } }],
    [{ type, payload: { nothing: null } }],
    [{ type, payload: { city: 'Zürich' } }],
    [{ type, payload: {} }],
    [{ type, payload: [] }],
    [{ type }],
    [{ type: 'Shipped', payload: {} }],
    [{ payload: {} }],
    ['{'],
    [plainEvent, { 'Idempotency-Key': 'one' }],
    [plainEvent, { 'Idempotency-Key': 'one' }],
    [{ ...plainEvent, type: 'order.returned' }, { 'Idempotency-Key': 'one' }],
  ]
}

/** All that the service answers to requests which show every rule, without addresses and event ids. */
export async function eventFingerprint(client: EventClient): Promise<readonly string[]> {
  const answers: Answer[] = []
  for (const [body, headers = {}] of publishRequests()) {
    answers.push(await client.publishWith(headers, body))
  }
  const id = await client.newEventId()
  answers.push(await client.status(id), await client.replay(id), await client.status(id))
  answers.push(await client.replay(id, { headers: client.key }, '', undefined))
  answers.push(await client.status('nothing'), await client.replay('nothing'))
  for (const [sent, query] of waysToSendKeys(client)) {
    answers.push(await client.publish(plainEvent, sent, query))
    answers.push(await client.status(id, sent, query))
    answers.push(await client.replay(id, sent, query))
  }
  const values = new RegExp(`${client.reference.origin}|evt_[0-9a-f]{24}`, 'g')
  return answers.map((answer) => written(answer, values))
}
