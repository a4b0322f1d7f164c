import { afterEach, expect, it } from 'vitest'
import { basic, bearer, queryToken } from './credentials.ts'
import type { ProbeRequest } from './exchange.ts'
import { closeAll, closedPort, startProbe, startServer } from './server.fixture.ts'

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

/** Returns a probe that knows the secret, and the exchange with a server that returns the request everywhere. */
async function echoed(parts: Partial<ProbeRequest>, path = '/') {
  const { url } = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { authorization = '' } = request.headers
    const echo = { url: request.url, authorization, body, lower: request.url?.toLowerCase() }
    response.setHeader('X-Authorization', authorization)
    response.setHeader('Location', request.url ?? '').end(JSON.stringify(echo))
  })
  const probe = startProbe()
  probe.redactor.addBasic('maria', 'THE_SECRET', secret)
  return { base: url.origin, probe, ...(await probe.ask(new URL(path, url), parts)) }
}

it('the name of a secret in a URL is not a placeholder unless the secret was sent', async () => {
  const credentials = basic('maria', secret)
  const path = '/a$THE_SECRET?b=$THE_SECRET'
  const { base, record } = await echoed({ credentials }, path)
  expect(record.request).toMatchObject({
    url: `${base}${path.replaceAll('$', '%24')}`,
    user: 'maria:$THE_SECRET',
    placeholders: [{ in: 'user', at: 'maria:'.length, name: 'THE_SECRET' }],
  })
  // Basic credentials show the username and not the password.
  const value = 'Basic base64(maria:$THE_SECRET)'
  expect(record.request.headers).toContainEqual({ name: 'Authorization', value })
  expect(record.response?.body).toContain('"authorization":"Basic $THE_SECRET"')
  expect(record.response?.body).toContain(path)
})

it.each(['full', 'headers'] as const)(
  'a secret that only the response shows is in no record, starting with its own, with %s evidence',
  async (evidence) => {
    const minted = 'f00dfeedcafe'
    const secretsIn = (json: unknown) => [{ name: 'MINTED', value: String(Object(json).sha1) }]
    const { url } = await startServer((request, response) => {
      response.setHeader('X-Token', minted).end(JSON.stringify({ sha1: minted, url: request.url }))
    })
    const probe = startProbe({ evidence })
    const exchange = await probe.ask(new URL(`/${minted}`, url), { method: 'POST', secretsIn })
    expect(exchange.json).toMatchObject({ sha1: minted })
    await probe.ask(url, { credentials: bearer(minted) })
    expectNoSecret(probe.records, minted)
    const { request, response } = exchange.record
    expect(request.url).toBe(new URL('/$MINTED', url).href)
    expect(response?.headers).toContainEqual({ name: 'X-Token', value: '$MINTED' })
  },
)

it.each([
  ['query', { credentials: queryToken('token', secret) }],
  ['invalid header', { headers: { 'X-Bad': `${secret}\n` } }],
])('a failure names no secret of the %s', async (_, parts) => {
  const probe = startProbe({ retries: 0 })
  probe.redactor.addBasic('maria', 'PASSWORD', secret)
  const url = `http://127.0.0.1:${await closedPort()}/`
  const outcome = await probe.ask(url, parts).catch((error: Error) => error)
  expect(outcome).toBeInstanceOf(Error)
  expectNoSecret([probe.records, String(outcome)])
})

it.each(['a-key-of-17-chars', 'a-key-of-'.repeat(6)])(
  'a failure names no part of a secret in a content coding: %s',
  async (value) => {
    const { url } = await startServer((_, response) => {
      response.setHeader('Content-Encoding', value).end(Buffer.from([0xff]))
    })
    const probe = startProbe({ retries: 0 })
    probe.redactor.add('KEY', value)
    const error = await probe.ask(url).catch(String)
    expect(`${error} ${probe.records[0]?.error}`).not.toContain('a-key-of-')
  },
)

it('username and password in a redirect are neither recorded nor returned', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(302, { location: 'https://maria:a-password@host/a' }).end()
  })
  const { headers, record } = await startProbe().ask(url)
  expect(headers.get('location')).toBe('https://host/a')
  expect(record.response?.headers).toContainEqual({ name: 'location', value: 'https://host/a' })
})

it('a long body is truncated after a secret, never within one', async () => {
  const limit = 64_000
  const text = `${'a'.repeat(limit - 3)}0123456789abcdef${'b'.repeat(limit)}`
  const { url } = await startServer((_, response) => response.end(text))
  const probe = startProbe()
  probe.redactor.add('KEY', '0123456789abcdef')
  const { record } = await probe.ask(url)
  expect(record.response?.body).toBe(`${'a'.repeat(limit - 3)}$KEY`)
})
