import { afterEach, describe, expect, it } from 'vitest'
import { sortByRequest } from '../results/normalize.ts'
import { curlCommand } from './curl.ts'
import type { ExchangeRecord } from './exchange.ts'
import { traceOf } from './recorder.ts'
import { closeAll, startProbe, startServer } from './server.fixture.ts'

afterEach(closeAll)

it('the trace ids of an exchange are digits of a digest', () => {
  // Computed with `printf RUN/EXCHANGE | sha256sum`.
  const [traceId, parentId] = ['8bfadc942f94d21b883e3561e5a156cf', 'db004444fd003e2e']
  const traceparent = `00-${traceId}-${parentId}-01`
  expect(traceOf('run7', 'e1')).toEqual({ traceId, traceparent })
})

/** Starts a server that returns 503 once, and records the fields that name an exchange. */
async function tracingServer() {
  const received: (string | string[] | undefined)[][] = []
  const { url } = await startServer(({ headers }, response) => {
    received.push([headers['user-agent'], headers.traceparent])
    response.writeHead(received.length === 1 ? 503 : 200, { 'Retry-After': '0' }).end()
  })
  return { url, received }
}

const identifying = { runId: 'run7', trace: true, userAgentPrefix: 'Mozilla/5.0 (x)' }

describe('a traced request', () => {
  it('has traceparent and the text of the operator in each attempt, and its record the trace id', async () => {
    const { url, received } = await tracingServer()
    const probe = startProbe(identifying)
    await probe.ask(url)
    const ids = ['e1', 'e2'].map((id) => traceOf('run7', id))
    expect(received).toEqual(
      ids.map((each, index) => [
        `Mozilla/5.0 (x) plumbline/test (run7; e${index + 1})`,
        each.traceparent,
      ]),
    )
    expect(probe.records.map(({ traceId }) => traceId)).toEqual(ids.map((each) => each.traceId))
    for (const { request, traceId } of probe.records) {
      const field = request.headers.find(({ name }) => name === 'traceparent')
      expect(field?.value.split('-')[1]).toBe(traceId)
    }
  })

  it('is equal to another one except for its ids: neither commands nor the order have them', async () => {
    const { url } = await tracingServer()
    const probe = startProbe(identifying)
    for (let count = 0; count < 9; count += 1) await probe.ask(url)
    const served = probe.records.filter(({ attempt }) => attempt === 1)
    // Equal requests keep their order, which their ids would change.
    const sorted = sortByRequest(
      served,
      (record) => record,
      (text) => text,
    )
    expect(sorted).toEqual(served)
    const command = curlCommand(probe.records[0] as ExchangeRecord, {
      PROBE_USER_AGENT: "Mozilla/5.0 'x'",
    })
    expect(command).toContain(` --user-agent 'Mozilla/5.0 '\\''x'\\''' `)
    expect(command).not.toContain('traceparent')
  })
})
