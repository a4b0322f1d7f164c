import { createServer as createHttp2Server, createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { authority, serverIdentity } from '../environment/certificates.fixture.ts'
import {
  closeAll,
  listen,
  startProbe,
  startResponding,
  startSocketServer,
} from './server.fixture.ts'
import { classifyFailure, explainTransportFailure, ProxyFailure } from './transport-error.ts'

afterEach(closeAll)

function withCode(code: string, message = 'raw message'): Error {
  return Object.assign(new Error(message), { code })
}

const timeOut = new DOMException('The operation was aborted due to timeout', 'TimeoutError')

describe('explainTransportFailure', () => {
  it('finds the code in the cause, and in the first of several errors', () => {
    const refused = withCode('ECONNREFUSED')
    const wrapped = new Error('fetch failed', { cause: new Error('x', { cause: refused }) })
    expect(explainTransportFailure(wrapped, 1)).toMatch(/refused/)
    expect(explainTransportFailure(new AggregateError([refused, timeOut]), 1)).toMatch(/refused/)
  })

  it('returns the texts of the snapshot, otherwise the message with its code', async () => {
    const openSsl = 'C0FF:error:0A00045C:SSL\nroutines'
    const errors = [
      timeOut,
      withCode('UND_ERR_ABORTED', 'Proxy response (407) !== 200'),
      withCode('UND_ERR_ABORTED', 'Proxy response (503) !== 200'),
      withCode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
      withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', openSsl),
      withCode('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', openSsl),
      withCode('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', openSsl),
      ...['EPIPE', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'EODD'].map((code) => withCode(code)),
      new ProxyFailure(withCode('ECONNREFUSED')),
      new Error('plain'),
      'thrown',
    ]
    const texts = errors.map((error) => `${explainTransportFailure(error, 250)}\n`)
    await expect(texts.join('')).toMatchFileSnapshot('snapshots/transport-errors.txt')
  })
})

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'names the variable of a client certificate that a server requires, with %s',
  async (version) => {
    const options = { ...serverIdentity, ca: authority, requestCert: true }
    const versions = { minVersion: version, maxVersion: version }
    const { port } = await listen(createServer({ ...options, ...versions }, (_, all) => all.end()))
    const url = `https://127.0.0.1:${port}/`
    const messageWith = async (known: boolean) => {
      const tls = { ca: authority }
      const probe = startProbe({ tls, retries: 0 })
      if (known) await probe.ask((await startResponding([200])).url)
      return String(await probe.ask(url).catch((error) => error))
    }
    expect(await messageWith(false)).toContain('PROBE_TLS_CERT')
    if (version === 'TLSv1.3') expect(await messageWith(true)).not.toContain('PROBE_TLS_CERT')
  },
)

it.each([true, false])('names a server that speaks HTTP/2 only, with TLS: %s', async (isTls) => {
  const respond = (_: unknown, response: { end(): void }) => response.end()
  const server = isTls ? createSecureServer(serverIdentity, respond) : createHttp2Server(respond)
  const { port } = await listen(server)
  const probe = startProbe({ tls: { ca: authority }, retries: 0 })
  const outcome = probe.ask(`http${isTls ? 's' : ''}://127.0.0.1:${port}/`)
  await expect(outcome).rejects.toThrow('HTTP/2')
})

const parsing = Object.assign(new Error('x'), { name: 'HTTPParserError' })

it.each([
  [withCode('ECONNREFUSED'), 'connection', 'connection'],
  [withCode('CERT_HAS_EXPIRED'), 'certificate', 'certificate'],
  [withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'certificate', 'certificate'],
  [withCode('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'), undefined, undefined],
  [timeOut, 'timeout', undefined],
  [withCode('UND_ERR_BODY_TIMEOUT'), 'timeout', undefined],
  [withCode('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'unreadable', undefined],
  [parsing, 'unreadable', undefined],
  [withCode('ENOTFOUND'), undefined, undefined],
  [withCode('toString'), undefined, undefined],
  [undefined, undefined, undefined],
])('classifyFailure returns for %s: %s, and through a proxy: %s', (error, kind, throughProxy) => {
  expect(classifyFailure(error)).toBe(kind)
  expect(classifyFailure(new ProxyFailure(error))).toBe(throughProxy)
})

it('a TLS handshake times out after half of the limit', async () => {
  const { port } = await startSocketServer(() => {})
  const probe = startProbe({ retries: 0, timeoutMs: 1000 })
  await expect(probe.ask(`https://127.0.0.1:${port}/`)).rejects.toThrow('UND_ERR_CONNECT_TIMEOUT')
})
