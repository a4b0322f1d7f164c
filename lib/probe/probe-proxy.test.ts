import { createServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { authority, clientIdentity, serverIdentity } from '../environment/certificates.fixture.ts'
import { bearer } from './credentials.ts'
import { closeAll, listen, startProbe, startServer, startSocketServer } from './server.fixture.ts'

afterEach(closeAll)

/** Starts a proxy that opens tunnels to one port for any host. */
async function startProxy(port: number) {
  const heads: string[] = []
  const server = await startSocketServer((socket, head) => {
    heads.push(head)
    const target = connect(port, '127.0.0.1')
    target.on('error', () => socket.destroy())
    socket.on('close', () => target.destroy())
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
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
  it('receives a tunnel request with only its own credentials', async () => {
    const { received, proxy } = await start()
    const password = 's€cret@'
    const url = `http://user:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`
    const probe = startProbe({ proxy: { http: url } })
    const credentials = bearer('token-of-the-service')
    const { text } = await probe.ask('http://service.invalid/path?a=b', { credentials })
    expect(text).toBe('there')
    expect(received).toEqual(['service.invalid Bearer token-of-the-service undefined'])
    const [head = ''] = proxy.heads
    expect(head).toMatch(/^CONNECT service\.invalid:80 HTTP\/1\.1\r\n/)
    expect(head).not.toMatch(/token-of-the-service|\r\nauthorization:|path/i)
    const own = Buffer.from(`user:${password}`).toString('base64')
    expect(head).toContain(`proxy-authorization: Basic ${own}`)
    expect(JSON.stringify(probe.records)).not.toContain(own)
  })

  it('receives neither further header fields nor the client certificate, which the server gets', async () => {
    const identities: unknown[] = []
    const options = { ...serverIdentity, ca: authority, requestCert: true }
    const server = createServer(options, (request, response) => {
      identities.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
      response.end(String(request.headers['x-key']))
    })
    const { port } = await listen(server)
    const proxy = await startProxy(port)
    const tls = { ca: authority, ...clientIdentity }
    const settings = { proxy: { https: proxy.url.href }, headers: { 'X-Key': 'k1' } }
    const { text } = await startProbe({ ...settings, tls }).ask(`https://127.0.0.1:${port}/`)
    expect(text).toBe('k1')
    expect(identities).toEqual(['plumbline test client'])
    expect(proxy.heads.join()).not.toMatch(/x-key/i)
  })

  it.each([
    ['127.0.0.1', true],
    ['other.invalid, 127.0.0.1', true],
    ['other.invalid', false],
    [undefined, false],
  ])('is not used for the hosts of %j: %s', async (no, direct) => {
    const { server, proxy } = await start()
    const probe = startProbe({ proxy: { http: proxy.url.href, no } })
    expect((await probe.ask(server.url)).text).toBe('there')
    expect(proxy.connections()).toBe(direct ? 0 : 1)
  })

  it('for http is not used for https', async () => {
    const { server, proxy } = await start()
    const probe = startProbe({ proxy: { http: proxy.url.href }, retries: 0 })
    await expect(probe.ask(`https://127.0.0.1:${server.port}/`)).rejects.toThrow(/TLS/)
    expect(proxy.connections()).toBe(0)
    expect((await probe.ask('http://service.invalid/')).text).toBe('there')
    expect(proxy.connections()).toBe(1)
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

describe('a proxy that does not open a tunnel', () => {
  const password = 'secret-of-the-proxy'

  async function failure(port: number): Promise<string> {
    const http = `http://user:${password}@127.0.0.1:${port}`
    const probe = startProbe({ proxy: { http }, retries: 0, timeoutMs: 300 })
    const outcome: unknown = await probe.ask('http://service.invalid/').catch((error) => error)
    expect(JSON.stringify(probe.records)).not.toContain(password)
    expect(probe.records).toHaveLength(1)
    return String(outcome)
  }

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['closes', (socket) => socket.end(), /proxy: .* closed/],
    ['resets', (socket) => socket.resetAndDestroy(), /proxy: .* reset/],
    ['is none', (socket) => socket.end('junk\r\n\r\n'), /proxy: .* HTTP/],
    ['refuses', (socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'), /407/],
    ['is silent', () => {}, /PROBE_TIMEOUT_MS/],
    [
      'responds itself',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'),
      /proxy: the proxy responds/,
    ],
  ])('but %s receives one request', async (_, respond, expected) => {
    const { port, connections } = await startSocketServer(respond)
    expect(await failure(port)).toMatch(expected)
    expect(connections()).toBe(1)
  })
})
