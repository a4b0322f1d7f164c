import { afterEach, describe, expect, it } from 'vitest'
import { basic, bearer, queryToken } from './credentials.ts'
import type { ProbeRequest } from './exchange.ts'
import {
  closeAll,
  closedPort,
  startProbe,
  startServer,
  startSocketServer,
} from './server.fixture.ts'

afterEach(closeAll)

const secret = 'pä ss/w+ö"r\\d&€'

/** Fails if a record contains a common form of the secret; the tests of redaction cover the others. */
function expectNoSecret(recorded: unknown, value = secret): void {
  const text = JSON.stringify(recorded)
  for (const form of [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('latin1'),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ]) {
    expect(text).not.toContain(form)
  }
}

/** Starts a server that returns each request in the header and body. */
function startEcho() {
  return startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { authorization } = request.headers
    const { 'x-secret': field } = request.headers
    const echo = { url: request.url, authorization, field, body, lower: request.url?.toLowerCase() }
    if (authorization !== undefined) response.setHeader('X-Authorization', authorization)
    response.setHeader('Location', request.url ?? '').end(JSON.stringify(echo))
  })
}

describe('a registered secret is in no record', () => {
  const requests: [string, Partial<ProbeRequest>][] = [
    ['token in the query', { credentials: queryToken('token', secret) }],
    ['password of basic authentication', { credentials: basic('maria', secret) }],
    ['token in the header', { credentials: bearer(Buffer.from(secret).toString('base64')) }],
    ['JSON body', { method: 'POST', body: JSON.stringify({ password: secret }) }],
  ]

  it.each(requests)('as %s', async (_, parts) => {
    const { url } = await startEcho()
    const probe = startProbe()
    probe.redactor.add('THE_SECRET', secret)
    const exchange = await probe.ask(url, parts)
    expectNoSecret(probe.records)
    const { request, response } = exchange.record
    expect(JSON.stringify(request)).toContain('$THE_SECRET')
    expect(response?.body).toContain('$THE_SECRET')
  })

  it('as UTF-8 in a header field of the response', async () => {
    const { url } = await startSocketServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nX-Secret: ${secret}\r\nContent-Length: 0\r\n\r\n`),
    )
    const probe = startProbe()
    probe.redactor.add('THE_SECRET', secret)
    const { record } = await probe.ask(url)
    expect(record.response?.headers[0]).toEqual({ name: 'X-Secret', value: '$THE_SECRET' })
  })
})

describe('the name of a secret in a URL', () => {
  it('is not a placeholder unless the secret was sent', async () => {
    const { url } = await startEcho()
    const probe = startProbe()
    probe.redactor.add('THE_SECRET', 'f00dfeedcafe')
    const target = new URL('/a$THE_SECRET?b=$THE_SECRET', url)
    const { record } = await probe.ask(target, { credentials: bearer('f00dfeedcafe') })
    expect(record.request).toMatchObject({
      url: new URL('/a%24THE_SECRET?b=%24THE_SECRET', url).href,
      placeholders: [{ in: 1, at: 'Bearer '.length, name: 'THE_SECRET' }],
    })
    expect(record.response?.body).toContain('/a$THE_SECRET?b=$THE_SECRET')
  })
})

describe('Basic credentials', () => {
  it('show the username and not the password', async () => {
    const { url } = await startEcho()
    const probe = startProbe()
    probe.redactor.addBasic('maria', 'PASSWORD', secret)
    const { record } = await probe.ask(url, { credentials: basic('maria', secret) })
    const value = 'Basic base64(maria:$PASSWORD)'
    expect(record.request.headers).toContainEqual({ name: 'Authorization', value })
    expect(record.request.user).toBe('maria:$PASSWORD')
    expect(record.response?.body).toContain('"authorization":"Basic $PASSWORD"')
  })
})

describe('a secret that only the response shows', () => {
  const minted = 'f00dfeedcafe'
  const secretsIn = (json: unknown) => [{ name: 'MINTED', value: String(Object(json).sha1) }]

  it.each(['full', 'headers'] as const)('is in no record, evidence: %s', async (evidence) => {
    const { url } = await startServer((request, response) => {
      response.setHeader('X-Token', minted).end(JSON.stringify({ sha1: minted, url: request.url }))
    })
    const probe = startProbe({ evidence })
    const exchange = await probe.ask(new URL(`/${minted}`, url), { method: 'POST', secretsIn })
    expect(exchange.json).toMatchObject({ sha1: minted })
    await probe.ask(url, { credentials: bearer(minted) })
    expectNoSecret(probe.records, minted)
    expect(probe.records[0]?.request.url).toBe(new URL('/$MINTED', url).href)
    expect(probe.records[0]?.response?.headers).toContainEqual({
      name: 'X-Token',
      value: '$MINTED',
    })
  })
})

describe('a failure names no secret', () => {
  it.each([
    ['query', { credentials: queryToken('token', secret) }],
    ['invalid header', { headers: { 'X-Bad': `${secret}\n` } }],
  ])('of the %s', async (_, parts) => {
    const probe = startProbe({ retries: 0 })
    probe.redactor.addBasic('maria', 'PASSWORD', secret)
    const url = `http://127.0.0.1:${await closedPort()}/`
    const outcome = await probe.ask(url, parts).catch((error: Error) => error)
    expect(outcome).toBeInstanceOf(Error)
    expectNoSecret([probe.records, String(outcome)])
  })
})

it('username and password in a redirect are neither recorded nor returned', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(302, { location: 'https://maria:a-password@host/a' }).end()
  })
  const probe = startProbe()
  const { headers, record } = await probe.ask(url)
  expect(headers.get('location')).toBe('https://host/a')
  expect(record.response?.headers).toContainEqual({ name: 'location', value: 'https://host/a' })
})

describe('the evidence', () => {
  it('has only body sizes with PROBE_EVIDENCE=headers, while checks get whole bodies', async () => {
    const { url } = await startServer(async (request, response) => {
      response.setHeader('X-Said', 'hello').end(Buffer.concat(await request.toArray()))
    })
    const parts = { method: 'POST', body: '{"name":"märia"}' }
    const exchange = await startProbe({ evidence: 'headers' }).ask(url, parts)
    expect(exchange).toMatchObject({ text: parts.body, json: { name: 'märia' } })
    expect(exchange.record.request).toMatchObject({ body: null, bodyBytes: 17 })
    expect(exchange.record.response).toMatchObject({ body: null, bodyBytes: 17 })
    expect(exchange.record.response?.headers).toContainEqual({ name: 'X-Said', value: 'hello' })
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
