import { systemMessage } from '../text/system-reason.ts'

const authorityAdvice = '(PROBE_TLS_CA names a file with the authorities to trust)'
const clientAdvice =
  '(set PROBE_TLS_CERT and PROBE_TLS_KEY to a certificate of an authority that it trusts)'

/**
 * Kind of a failure. `connection` and `timeout` may be transient. `certificate`: the certificate of the server
 * or client is not accepted. `unreadable`: the response is invalid HTTP or exceeds a limit.
 */
export type FailureKind = 'connection' | 'timeout' | 'certificate' | 'unreadable'

const kindPatterns: readonly (readonly [FailureKind, RegExp])[] = [
  ['connection', /^(?:ECONN|EPIPE|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/],
  ['connection', /^(?:UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKET)$/],
  ['timeout', /^(?:TIMEOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT)$/],
  ['certificate', /^(?:CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/],
  ['certificate', /ALTNAME|PRX_TLS|CERTIFICATE_REQUIRED/],
  ['certificate', /^ERR_SSL_\w+_ALERT_(?:UNKNOWN_CA|(?:BAD_)?CERTIFICATE)/],
  ['unreadable', /^(?:UND_ERR_(?:RES_|HEADERS_OVERFLOW)|ERR_ASSERTION$)/],
]

const tooLarge = 'the response is larger than PROBE_MAX_BODY_BYTES allows'
const notTls = 'the server does not speak TLS (check whether the URL must start with http://)'
const onlyHttp2 =
  'the server speaks HTTP/2 only, and Plumbline HTTP/1.1: use an address at which it speaks that too'
const otherHost = 'the certificate of the server, or of the proxy, is for another host name'

/** Messages by error code; for other codes, the message of the system or of Node.js is used. */
const messages: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the host name does not resolve at the moment',
  ENOTFOUND: 'the host name does not resolve',
  UND_ERR_CONNECT_TIMEOUT:
    'no connection, or no TLS handshake, within the time limit ' +
    '(PROBE_TIMEOUT_MS, half of it with https://; check whether the URL must start with http://)',
  UND_ERR_SOCKET: 'the connection was closed before the response ended',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate of the server is self-signed ${authorityAdvice}`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: `the server requires a client certificate ${clientAdvice}`,
  ERR_TLS_CERT_ALTNAME_INVALID: otherHost,
  UND_ERR_PRX_TLS: otherHost,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: tooLarge,
  ERR_BUFFER_TOO_LARGE: tooLarge,
  UND_ERR_HEADERS_OVERFLOW: 'the response header is too large: it has more than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
    'the length of the response body is not clear: it is not its Content-Length, or there are ' +
    'several lengths, or Transfer-Encoding next to one',
  ERR_ASSERTION: 'the response is not valid HTTP: its status is below 100',
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: onlyHttp2,
}

/** Returns true for data that begins with a SETTINGS frame, with which a server begins a connection (RFC 9113, 3.4). */
const isHttp2 = (data: string) => data.startsWith('\0\0') && data.startsWith('\u0004\0\0\0\0\0', 3)

/** Messages by the text of an undici error without a code. */
const undiciMessages: readonly (readonly [RegExp, string])[] = [
  [/^bad response$/, 'the server sent an interim response (100) without a request for it'],
  [/^bad upgrade$/, 'the server changed to another protocol (101) without a request to do so'],
  [/^Proxy response \(407\)/, 'the proxy needs credentials (407): use http://user:password@host'],
  [
    /^Proxy response \(4\d\d\)/,
    'the proxy refuses the request: allow the host there, or add it to NO_PROXY',
  ],
  [/^Proxy response \(\d+\)/, 'the proxy cannot connect to the server'],
]

/** Thrown for a response that exceeds a limit or cannot be decoded. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure'
  readonly code = 'PROXY_FAILURE'

  constructor(cause: unknown) {
    super('no connection through the proxy', { cause })
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  const code = (error as NodeJS.ErrnoException).code
  if (typeof code === 'string') return code
  // Node.js collects an error for each address of a host.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error.cause === undefined ? '' : codeOf(error.cause)
}

/** Formats the reason for a missing response; `timeoutMs` is the limit of a timeout. */
export function explainTransportFailure(error: unknown, timeoutMs: number): string {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ProxyFailure) {
    return `${message}: ${explainTransportFailure(error.cause, timeoutMs)}`
  }
  const kind = classifyFailure(error)
  if (kind === 'timeout') return `no complete response within ${timeoutMs} ms (PROBE_TIMEOUT_MS)`
  // The parser reports the reason as a code, or in parentheses at the end of its message.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    if (isHttp2(String((error as { data?: unknown }).data))) return onlyHttp2
    const reason = code || (/^[^(]*\((.*)\)$/.exec(message)?.[1] ?? message)
    return `the response is not valid HTTP (${reason.replace(/^Expected HTTP.*/, 'it does not begin with HTTP/')})`
  }
  const known = undiciMessages.find(([pattern]) => pattern.test(message))?.[1] ?? messages[code]
  const mapped = known ?? systemMessage(code)
  const isCertificate = kind === 'certificate'
  const ownMessage = isCertificate
    ? `the certificate of the server is not accepted: ${message} ${authorityAdvice}`
    : message
  // The messages of OpenSSL have several lines.
  const handshake = isCertificate
    ? `the server rejected the client certificate ${clientAdvice}`
    : code.includes('ALERT_HANDSHAKE_FAILURE')
      ? `the server rejected the TLS handshake, perhaps without a client certificate ${clientAdvice}`
      : 'the TLS handshake failed'
  const fallback = code.startsWith('ERR_SSL_') ? handshake : ownMessage
  return `${mapped ?? fallback}${code === '' ? '' : ` (${code})`}`
}

/** Advice for a connection that a server closes after a handshake without a client certificate (TLS 1.3). */
export const withoutCertificateAdvice = `; if the server requires a client certificate: ${clientAdvice}`

export const isClosed = (error: unknown) =>
  /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error))

/** Classifies a failure; undefined if it does not concern the server. */
export function classifyFailure(error: unknown): FailureKind | undefined {
  if (error instanceof ProxyFailure) {
    const kind = classifyFailure(error.cause)
    // Other failures may come from the proxy or from the server.
    return kind === 'connection' || kind === 'certificate' ? kind : undefined
  }
  if (error instanceof UnreadableError) return 'unreadable'
  if (error instanceof Error && error.name === 'HTTPParserError') return 'unreadable'
  const code = codeOf(error)
  return kindPatterns.find(([, codes]) => codes.test(code))?.[0]
}
