import { afterEach, expect, it } from 'vitest'
import { type Credentials, headerKey } from '../probe/credentials.ts'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { keyedRequests } from './api-key.ts'
import { Inconclusive } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { createRun } from './run.ts'

afterEach(closeAll)

const KEY = 'a-key-of-a-service'

/** A service behind a gateway that has no response to requests without the key. */
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
  const own = { embedded: false, selected: [], checks: [], secrets: [], documentsStatuses }
  const run = createRun({ runId: 'run7', version: '0', target: { probe: { ...probe } }, ...own })
  const place = (key: string) => headerKey('X-Key', key)
  const send = (credentials: Credentials) => run.send('keyed', { method: 'POST', url, credentials })
  const options = { variable: 'KEYED_API_KEY', key: () => KEY, place, elsewhere: [] }
  return keyedRequests(run, options)('publish', () => send(place(KEY)), send)
}

it('a 503 is no rejection of a service whose document states another status', async () => {
  const { control, withoutKey, withWrongKeys } = await keyedService(['keyed'])
  expect((await control()).status).toBe(202)
  for (const ask of [withoutKey, ...withWrongKeys.map(({ refused }) => refused)]) {
    expect(await errorOf(ask)).toBeInstanceOf(Inconclusive)
  }
})

it('a 503 may be a rejection of a service whose document states no status', async () => {
  const { withoutKey, withWrongKeys } = await keyedService(['another'])
  for (const ask of [withoutKey, ...withWrongKeys.map(({ refused }) => refused)]) {
    expect((await ask()).status).toBe(503)
  }
})
