import { type Answer, type RequestParts, written } from '../test-client.ts'
import type { IncidentClient } from './test-client.ts'

function waysToSendKeys(client: IncidentClient): [RequestParts, string?][] {
  const key = client.variable('API_KEY')
  return [
    [{}],
    [{ authorization: 'Bearer wrong' }],
    [{ authorization: client.basic(key, '') }],
    [{ authorization: client.basic('key', key) }],
    [{ authorization: `token ${key}` }],
    [{ authorization: key }],
    [{ headers: { 'X-Api-Key': key } }],
    [{ headers: { 'X-Events-Key': key } }],
    [{}, `?access_token=${key}`],
  ]
}

/** All that the service answers to requests which show every rule, without addresses. */
export async function incidentFingerprint(client: IncidentClient): Promise<readonly string[]> {
  const { bearer } = client
  const answers: Answer[] = [
    await client.update({ authorization: bearer }),
    await client.update({ authorization: bearer.toLowerCase().slice(0, 6) + bearer.slice(6) }),
    await client.update({ authorization: bearer }, 'nothing'),
    await client.update({ authorization: bearer, body: '{' }),
    await client.update({ authorization: bearer, body: { status: 'monitoring' } }),
    await client.update({ authorization: bearer, body: [] }),
  ]
  for (const [parts, query] of waysToSendKeys(client)) {
    answers.push(await client.update(parts, undefined, query))
  }
  return answers.map((answer) => written(answer, new RegExp(client.reference.origin, 'g')))
}
