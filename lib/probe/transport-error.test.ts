import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, startProbe, startSocketServer } from './server.fixture.ts'
import { classifyFailure, explainTransportFailure, ProxyFailure } from './transport-error.ts'

afterEach(closeAll)

function withCode(code: string, message = 'raw message'): Error {
  return Object.assign(new Error(message), { code })
}

const timeOut = new DOMException('The operation was aborted due to timeout', 'TimeoutError')

describe('explainTransportFailure', () => {
  it('names the limit of a timeout', () => {
    expect(explainTransportFailure(timeOut, 250)).toBe(
      'no complete response within 250 ms (PROBE_TIMEOUT_MS)',
    )
  })

  it('finds the code in the cause, and in the first of several errors', () => {
    const refused = withCode('ECONNREFUSED')
    const wrapped = new Error('fetch failed', { cause: new Error('x', { cause: refused }) })
    expect(explainTransportFailure(wrapped, 1)).toMatch(/refused/)
    expect(explainTransportFailure(new AggregateError([refused, timeOut]), 1)).toMatch(/refused/)
  })

  it.each([
    ['Proxy response (407) !== 200', 'UND_ERR_ABORTED', /needs credentials \(407\)/],
    ['Proxy response (503) !== 200', 'UND_ERR_ABORTED', /the proxy cannot connect/],
    [
      'unable to get',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      /^the certificate of the server is not accepted: unable to get .PROBE_TLS_CA/,
    ],
    [
      'C0FF:error:0A00045C:SSL\nroutines',
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      /^the server requires a client certificate .*PROBE_TLS_KEY.* \(ERR_SSL_TLSV13_\w+\)$/,
    ],
    [
      'C0FF:error:0A000418:SSL\nroutines',
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      /^the server rejected the client certificate .*PROBE_TLS_CERT.* \(ERR_SSL_TLSV1_ALERT_UNKNOWN_CA\)$/,
    ],
    [
      'C0FF:error:0A000410:SSL\nroutines',
      'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
      /^the TLS handshake failed \(ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE\)$/,
    ],
    ['write EPIPE', 'EPIPE', /^the connection was closed while/],
    ['connect EHOSTUNREACH', 'EHOSTUNREACH', /^there is no route/],
  ])('returns its own message for %j', (message, code, expected) => {
    expect(explainTransportFailure(withCode(code, message), 1)).toMatch(expected)
  })

  it('reports a failure of the proxy', () => {
    expect(explainTransportFailure(new ProxyFailure(withCode('ECONNREFUSED')), 1)).toBe(
      'no connection through the proxy: the connection was refused (ECONNREFUSED)',
    )
  })

  it('returns the message of other errors', () => {
    expect(explainTransportFailure(withCode('EODD'), 1)).toBe('raw message (EODD)')
    expect(explainTransportFailure(new Error('plain'), 1)).toBe('plain')
    expect(explainTransportFailure('thrown', 1)).toBe('thrown')
  })
})

describe('classifyFailure', () => {
  const parsing = Object.assign(new Error('x'), { name: 'HTTPParserError' })

  it.each([
    [withCode('ECONNREFUSED'), 'connection', 'connection'],
    [withCode('CERT_HAS_EXPIRED'), 'certificate', 'certificate'],
    [withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'certificate', 'certificate'],
    [withCode('ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED'), 'certificate', 'certificate'],
    [withCode('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'), undefined, undefined],
    [timeOut, 'timeout', undefined],
    [withCode('UND_ERR_BODY_TIMEOUT'), 'timeout', undefined],
    [withCode('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'unreadable', undefined],
    [parsing, 'unreadable', undefined],
    [withCode('ENOTFOUND'), undefined, undefined],
    [withCode('SELF_SIGNED_CERT_IN_CHAIN'), 'certificate', 'certificate'],
    [withCode('toString'), undefined, undefined],
    [undefined, undefined, undefined],
  ])('returns for %s: %s, and through a proxy: %s', (error, kind, throughProxy) => {
    expect(classifyFailure(error)).toBe(kind)
    expect(classifyFailure(new ProxyFailure(error))).toBe(throughProxy)
  })
})

it('a TLS handshake times out after half of the limit', async () => {
  const { port } = await startSocketServer(() => {})
  const probe = startProbe({ retries: 0, timeoutMs: 5000 })
  await expect(probe.ask(`https://127.0.0.1:${port}/`)).rejects.toThrow(
    /or no TLS handshake.* \(PROBE_TIMEOUT_MS, half of it with https:\/\/; check whether the URL must start with http:/,
  )
})
