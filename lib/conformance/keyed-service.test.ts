import { afterEach, expect, it } from 'vitest'
import { type Credentials, headerKey } from '../probe/credentials.ts'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { keyedRequests } from './api-key.ts'
import { Inconclusive } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { createRun } from './run.ts'

afterEach(closeAll)

const KEY = 'a-key-of-a-service'

/** Starts a service that responds with 503 to requests without the key. */
async function keyedService(documentsStatuses: string[]) {
  const { url } = await startServer(({ headers }, response) => {
    response.writeHead(headers['x-key'] === KEY ? 202 : 503).end()
  })
  const probe = {
    readOnly: false,
    wording: 'strict',
    evidence: 'full',
    concurrency: 2,
    timeoutMs: 5000,
    retries: 0,
    maxBodyBytes: 1000,
    maxPages: 1,
    proxy: {},
  } as const
  const others = { embedded: false, selected: [], checks: [], secrets: [], documentsStatuses }
  const run = createRun({ runId: 'run7', version: '0', target: { probe: { ...probe } }, ...others })
  const place = (key: string) => headerKey('X-Key', key)
  const send = (credentials: Credentials) => run.send('keyed', { method: 'POST', url, credentials })
  const options = { variable: 'KEYED_API_KEY', key: () => KEY, place, elsewhere: [] }
  return keyedRequests(run, options)('publish', () => send(place(KEY)), send)
}

it('keyedRequests is inconclusive for 503 if the document states the statuses of rejections', async () => {
  const { control, withoutKey, withWrongKeys } = await keyedService(['keyed'])
  expect((await control()).status).toBe(202)
  for (const send of [withoutKey, ...withWrongKeys.map(({ rejected: refused }) => refused)]) {
    expect(await errorOf(send)).toBeInstanceOf(Inconclusive)
  }
})

it('keyedRequests returns 503 as a rejection if the document states no statuses', async () => {
  const { withoutKey, withWrongKeys } = await keyedService(['another'])
  for (const send of [withoutKey, ...withWrongKeys.map(({ rejected: refused }) => refused)]) {
    expect((await send()).status).toBe(503)
  }
})
