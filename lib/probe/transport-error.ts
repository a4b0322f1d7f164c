/** Node.js reads that variable when it starts. */
const furtherAuthorities =
  '(NODE_EXTRA_CA_CERTS names further authorities; it has to be in the environment of the process: ' +
  'an environment file is read too late)'

/**
 * What a failure says of the server: `connection` and `timeout` may be another one a moment later. With
 * `certificate` the server is there, and its certificate, or that of the client, is in the way. With
 * `unreadable` something came that is no response, or goes beyond what is read of one.
 */
export type FailureKind = 'connection' | 'timeout' | 'certificate' | 'unreadable'

/** By code. */
const kinds: readonly (readonly [FailureKind, RegExp])[] = [
  ['connection', /^(?:ECONN|EPIPE|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/],
  ['connection', /^(?:UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKET|UNUSED_TUNNEL)$/],
  ['timeout', /^(?:TIMEOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT)$/],
  ['certificate', /^(?:CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/],
  ['certificate', /ALTNAME|PRX_TLS|CERTIFICATE_REQUIRED/],
  ['unreadable', /^(?:UND_ERR_(?:RES_|HEADERS_OVERFLOW)|ERR_ASSERTION$)/],
]

const tooLarge = 'the response is larger than PROBE_MAX_BODY_BYTES allows'
const notTls = 'the server does not speak TLS (is it http:// and not https://?)'
const otherHost = 'the certificate of the server, or of the proxy, is for another host name'

/** By code; of others the message of Node.js says enough. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  EAI_AGAIN: 'the host name does not resolve at the moment',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ENOTFOUND: 'the host name does not resolve',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT:
    'no connection, or no TLS handshake, within the time limit ' +
    '(PROBE_TIMEOUT_MS, half of it with https://; is it http:// and not https://?)',
  UND_ERR_SOCKET: 'the connection was closed before the response ended',
  UNUSED_TUNNEL:
    'the proxy answers in the place of the server, or closes the connection that it has opened to it',
  UND_ERR_HEADERS_TIMEOUT: 'no response within the time limit (PROBE_TIMEOUT_MS)',
  UND_ERR_BODY_TIMEOUT: 'the response did not end within the time limit (PROBE_TIMEOUT_MS)',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate of the server is self-signed ${furtherAuthorities}`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server asks for a certificate of the client',
  ERR_TLS_CERT_ALTNAME_INVALID: otherHost,
  UND_ERR_PRX_TLS: otherHost,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: tooLarge,
  ERR_BUFFER_TOO_LARGE: tooLarge,
  UND_ERR_HEADERS_OVERFLOW: 'the response header is too large: it has more than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
    'the length of the response body is not clear: it is not its Content-Length, or there are ' +
    'several lengths, or Transfer-Encoding beside one',
  ERR_ASSERTION: 'the response is not valid HTTP: its status is below 100',
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
}

/** What undici says only in words of its own. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/^bad response$/, 'the server sent an interim response (100) that was not asked for'],
  [/^bad upgrade$/, 'the server changed to another protocol (101) without being asked to'],
  [/^Proxy response \(407\)/, 'the proxy asks for credentials (407), as http://user:password@host'],
  [/^Proxy response \(\d+\)/, 'the proxy opens no connection to the server'],
]

/** A response goes beyond the limits to what is read, or is not in the coding that it names. */
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
  // Where a host has several addresses, Node.js gathers one error each.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error.cause === undefined ? '' : codeOf(error.cause)
}

/** Says in words why there was no response; `timeoutMs` is the limit that a time-out exceeded. */
export function explainTransportFailure(error: unknown, timeoutMs: number): string {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ProxyFailure) {
    return `${message}: ${explainTransportFailure(error.cause, timeoutMs)}`
  }
  if (code === 'TIMEOUT') return `no complete response within ${timeoutMs} ms (PROBE_TIMEOUT_MS)`
  // The parser gives its reason as a code, or within parentheses behind what it always says.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    const reason = code || (/^[^(]*\((.*)\)$/.exec(message)?.[1] ?? message)
    return `the response is not valid HTTP (${reason.replace(/^Expected HTTP.*/, 'it does not begin with HTTP/')})`
  }
  const known = messages.find(([form]) => form.test(message))?.[1] ?? words[code]
  const unaccepted =
    kindOfFailure(error) === 'certificate'
      ? `the certificate of the server is not accepted: ${message} ${furtherAuthorities}`
      : message
  // OpenSSL says it in lines of its own.
  const untold = code.startsWith('ERR_SSL_') ? 'the TLS handshake failed' : unaccepted
  return `${known ?? untold}${code === '' ? '' : ` (${code})`}`
}

/** `undefined` for a failure that says nothing of the server. */
export function kindOfFailure(error: unknown): FailureKind | undefined {
  if (error instanceof ProxyFailure) {
    const kind = kindOfFailure(error.cause)
    // Of anything else nobody knows whether it came from the proxy or from the server.
    return kind === 'connection' || kind === 'certificate' ? kind : undefined
  }
  if (error instanceof UnreadableError) return 'unreadable'
  if (error instanceof Error && error.name === 'HTTPParserError') return 'unreadable'
  const code = codeOf(error)
  return kinds.find(([, codes]) => codes.test(code))?.[0]
}
