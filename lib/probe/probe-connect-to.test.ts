import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { authority, serverIdentity } from '../environment/certificates.fixture.ts'
import { curlCommand } from './curl.ts'
import { type ExchangeRecord, TransportError } from './exchange.ts'
import { closeAll, listen, startProbe, startServer } from './server.fixture.ts'

afterAll(closeAll)

describe.concurrent('another address for a host and port', () => {
  it.each([
    ['service.invalid:80:', 'http://service.invalid/'],
    ['Service.Invalid::', 'http://service.invalid:8080/'],
    [':8080:', 'http://service.invalid:8080/'],
    ['[2001:DB8:0::1]:80:', 'http://[2001:db8::1]/'],
  ])('receives the requests with the host of the URL: %s', async (matched, url) => {
    const { port } = await startServer((request, response) => response.end(request.headers.host))
    const connectTo = `${matched}127.0.0.1:${port}`
    const probe = startProbe({ connectTo, retries: 0 })
    expect((await probe.ask(url)).text).toBe(new URL(url).host)
    expect(probe.records).toMatchObject([{ request: { url, connectTo } }])
    const [record] = probe.records as [ExchangeRecord]
    expect(curlCommand(record)).toContain(` --connect-to '${connectTo}' `)
  })

  it('may be an IPv6 address, or only another port', async () => {
    const six = await startServer((_, response) => response.end('six'), '::1')
    const probe = startProbe({ connectTo: `service.invalid:80:[::1]:${six.port}` })
    expect((await probe.ask('http://service.invalid/')).text).toBe('six')
    const four = await startServer((_, response) => response.end('four'))
    const other = startProbe({ connectTo: `127.0.0.1:1::${four.port}` })
    expect((await other.ask('http://127.0.0.1:1/')).text).toBe('four')
  })

  it('receives nothing for another host or port', async () => {
    const node = await startServer((_, response) => response.end('node'))
    const server = await startServer((_, response) => response.end('server'))
    for (const matched of [
      'service.invalid:',
      `127.0.0.1:${node.port}`,
      `localhost:${server.port}`,
    ]) {
      const probe = startProbe({ connectTo: `${matched}:127.0.0.1:${node.port}` })
      expect((await probe.ask(server.url)).text).toBe('server')
      expect(probe.records[0]?.request).not.toHaveProperty('connectTo')
    }
    expect(node.connections()).toBe(0)
  })

  it('receives the host of the URL as server name of TLS', async () => {
    const names: string[] = []
    const { port } = await listen(
      createServer({
        SNICallback(name, done) {
          names.push(name)
          done(new Error('no certificate'))
        },
      }),
    )
    const probe = startProbe({ connectTo: `service.invalid:443:127.0.0.1:${port}`, retries: 0 })
    await expect(probe.ask('https://service.invalid/')).rejects.toThrow(TransportError)
    expect(names).toEqual(['service.invalid'])
  })

  it('needs a certificate for the host of the URL, also if that is an address', async () => {
    const { port } = await listen(
      createHttpsServer(serverIdentity, (_, response) => response.end('node')),
    )
    const ask = (host: string, node: string) => {
      const connectTo = `${host}:443:${node}:${port}`
      return startProbe({ connectTo, retries: 0, tls: { ca: authority } }).ask(`https://${host}/`)
    }
    // The certificate is for 127.0.0.1 and localhost.
    expect((await ask('127.0.0.1', 'localhost')).text).toBe('node')
    for (const host of ['10.0.0.7', '[2001:db8::7]', 'service.invalid']) {
      await expect(ask(host, '127.0.0.1')).rejects.toMatchObject({ kind: 'certificate' })
    }
  })
})
