import { createServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { authority, clientIdentity, serverIdentity } from '../environment/certificates.fixture.ts'
import { bearer } from './credentials.ts'
import { TransportError } from './exchange.ts'
import {
  closeAll,
  closedPort,
  listen,
  startProbe,
  startServer,
  startSocketServer,
} from './server.fixture.ts'

afterEach(closeAll)

/** Starts a proxy that forwards all requests, and opens all tunnels, to one port. */
async function startProxy(port: number) {
  const heads: string[] = []
  const server = await startSocketServer((socket, head) => {
    heads.push(head)
    const target = connect(port, '127.0.0.1')
    target.on('error', () => socket.destroy())
    socket.on('close', () => target.destroy())
    if (head.startsWith('CONNECT ')) socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    else target.write(head, 'latin1')
    socket.pipe(target).pipe(socket)
  })
  return { ...server, heads }
}

async function start() {
  const received: (string | undefined)[] = []
  const server = await startServer((request, response) => {
    const { host, authorization } = request.headers
    received.push(`${host} ${authorization} ${request.headers['proxy-authorization']}`)
    response.end('there')
  })
  return { server, received, proxy: await startProxy(server.port) }
}

describe('a proxy', () => {
  it('receives a request for http in absolute-form, with its own credentials', async () => {
    const { proxy } = await start()
    const password = 's€cret@'
    const url = `http://user:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`
    const probe = startProbe({ proxy: { http: url } })
    const credentials = bearer('token-of-the-service')
    const { text } = await probe.ask('http://service.invalid/path?a=b', { credentials })
    expect(text).toBe('there')
    const [head = ''] = proxy.heads
    expect(head).toMatch(
      /^GET http:\/\/service\.invalid\/path\?a=b HTTP\/1\.1\r\nHost: service\.invalid\r\n/i,
    )
    const own = Buffer.from(`user:${password}`).toString('base64')
    expect(head).toMatch(new RegExp(`\r\nproxy-authorization: Basic ${own}\r\n`, 'i'))
    expect(head).toMatch(/\r\nauthorization: Bearer token-of-the-service\r\n/i)
    expect(JSON.stringify(probe.records)).not.toContain(own)
  })

  it('receives a tunnel request for https, with nothing of the request or the client certificate', async () => {
    const received: unknown[] = []
    const options = { ...serverIdentity, ca: authority, requestCert: true }
    const server = createServer(options, ({ headers, socket }, response) => {
      const { CN } = (socket as TLSSocket).getPeerCertificate().subject
      received.push(headers.authorization, headers['proxy-authorization'], headers['x-key'], CN)
      response.end('there')
    })
    const { port } = await listen(server)
    const proxy = await startProxy(port)
    const https = `http://user:a-password@127.0.0.1:${proxy.port}`
    const tls = { ca: authority, ...clientIdentity }
    const probe = startProbe({ proxy: { https }, headers: { 'X-Key': 'k1' }, tls })
    const credentials = bearer('token-of-the-service')
    await probe.ask(`https://127.0.0.1:${port}/path`, { credentials })
    const own = ['Bearer token-of-the-service', undefined, 'k1', 'plumbline test client']
    expect(received).toEqual(own)
    const [head = ''] = proxy.heads
    expect(head).toMatch(new RegExp(`^CONNECT 127\\.0\\.0\\.1:${port} HTTP/1\\.1\r\n`))
    expect(head).not.toMatch(/token-of-the-service|\r\nauthorization:|path|x-key/i)
    expect(head).toContain(`proxy-authorization: Basic ${btoa('user:a-password')}`)
  })

  it.each([
    ['other.invalid, 127.0.0.1', true],
    ['other.invalid', false],
    [undefined, false],
  ])('is not used for the hosts of %j: %s', async (no, direct) => {
    const { server, proxy } = await start()
    const probe = startProbe({ proxy: { http: proxy.url.href, no } })
    expect((await probe.ask(server.url)).text).toBe('there')
    expect(proxy.connections()).toBe(direct ? 0 : 1)
  })

  it('in the environment is ignored by the probe', async () => {
    const { server, proxy } = await start()
    vi.stubEnv('http_proxy', proxy.url.href)
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const settings of [undefined, {}, { https: 'http://127.0.0.1:1' }]) {
      await startProbe({ proxy: settings }).ask(server.url)
    }
    expect(proxy.connections()).toBe(0)
  })
})

const password = 'secret-of-the-proxy'

/** Returns the error of a request through a proxy that receives a single one. */
async function failure(target: string, port: number): Promise<TransportError> {
  const url = `http://user:${password}@127.0.0.1:${port}`
  const proxy = { http: url, https: url }
  const probe = startProbe({ proxy, retries: 0, timeoutMs: 300 })
  const outcome: unknown = await probe.ask(target).catch((error) => error)
  expect(JSON.stringify(probe.records)).not.toContain(password)
  expect(probe.records).toHaveLength(1)
  expect(outcome).toBeInstanceOf(TransportError)
  return outcome as TransportError
}

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['closes', (socket) => socket.end(), /proxy: .* closed/],
  ['is none', (socket) => socket.end('junk\r\n\r\n'), /proxy: .* HTTP/],
  ['requires credentials', (socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'), /407/],
  ['refuses', (socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'), /NO_PROXY/],
  ['is silent', () => {}, /PROBE_TIMEOUT_MS/],
  ['closes it', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), /ECONNRESET|closed/],
  [
    'responds itself',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'hello '.repeat(20)}`),
    /TLS/,
  ],
])(
  'a proxy that does not open a tunnel but %s receives one request',
  async (_, respond, expected) => {
    const { port, connections } = await startSocketServer(respond)
    expect((await failure('https://service.invalid/', port)).message).toMatch(expected)
    expect(connections()).toBe(1)
  },
)

describe('a proxy that does not forward a request', () => {
  it('is named if it cannot be reached', async () => {
    const { message, kind } = await failure('http://service.invalid/', await closedPort())
    expect(message).toMatch(/proxy.*ECONNREFUSED/)
    expect(kind).toBe('connection')
  })

  it.each([
    ['407 No', '', /407/],
    ['403 Forbidden', 'X-Squid-Error: ERR_ACCESS_DENIED 0\r\n', /NO_PROXY/],
    ['403 Forbidden', 'Proxy-Status: proxy.example; error=http_request_denied\r\n', /NO_PROXY/],
  ])('but responds %s with %j has refused it', async (status, fields, expected) => {
    const { port } = await startSocketServer((socket) =>
      socket.end(`HTTP/1.1 ${status}\r\n${fields}Content-Length: 2\r\n\r\nno`),
    )
    const { message, kind } = await failure('http://service.invalid/', port)
    expect(message).toMatch(expected)
    expect(kind).toBeUndefined()
  })

  it('is not blamed for a rejection by the server', async () => {
    const server = await startServer((_, response) => response.writeHead(403).end('mine'))
    const proxy = await startProxy(server.port)
    const probe = startProbe({ proxy: { http: proxy.url.href } })
    expect(await probe.ask('http://service.invalid/')).toMatchObject({ status: 403, text: 'mine' })
  })
})
