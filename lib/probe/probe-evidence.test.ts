import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, startProbe, startServer } from './server.fixture.ts'

afterEach(closeAll)

const parts = { method: 'POST', body: '{"name":"märia"}' }

function startEcho() {
  return startServer(async (request, response) => {
    response.setHeader('X-Said', 'hello').end(Buffer.concat(await request.toArray()))
  })
}

describe('the evidence', () => {
  it('has only body sizes with PROBE_EVIDENCE=headers, while checks get whole bodies', async () => {
    const { url } = await startEcho()
    const exchange = await startProbe({ evidence: 'headers' }).ask(url, parts)
    expect(exchange).toMatchObject({ text: parts.body, json: { name: 'märia' } })
    expect(exchange.record.request).toMatchObject({ body: null, bodyBytes: 17 })
    expect(exchange.record.response).toMatchObject({ body: null, bodyBytes: 17 })
    expect(exchange.record.response?.headers).toContainEqual({ name: 'X-Said', value: 'hello' })
  })

  it('redacts secrets from bodies that it does not contain', async () => {
    const { url } = await startServer((_, response) => {
      response.setHeader('X-Token', 'f00dfeedcafe').end('{"sha1":"f00dfeedcafe"}')
    })
    const { record } = await startProbe({ evidence: 'headers' }).ask(url, {
      secretsIn: (json) => [{ name: 'MINTED', value: String(Object(json).sha1) }],
    })
    expect(record.response?.headers).toContainEqual({ name: 'X-Token', value: '$MINTED' })
  })

  it('truncates a long body after a secret, never within one', async () => {
    const limit = 64_000
    const text = `${'a'.repeat(limit - 3)}0123456789abcdef${'b'.repeat(limit)}`
    const { url } = await startServer((_, response) => response.end(text))
    const probe = startProbe()
    probe.redactor.add('KEY', '0123456789abcdef')
    const { record } = await probe.ask(url)
    expect(record.response?.body).toBe(`${'a'.repeat(limit - 3)}$KEY`)
  })
})
