const explanations: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name does not resolve at the moment',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit (PROBE_TIMEOUT_MS)',
  UND_ERR_HEADERS_TIMEOUT: 'no response within the time limit (PROBE_TIMEOUT_MS)',
  UND_ERR_BODY_TIMEOUT: 'the response did not end within the time limit (PROBE_TIMEOUT_MS)',
  UND_ERR_SOCKET: 'the connection was closed before the response ended',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the response is larger than PROBE_MAX_BODY_BYTES allows',
  UND_ERR_HEADERS_OVERFLOW: 'the response header is too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response body is not as long as its Content-Length',
  EPROTO: 'the server does not speak TLS as expected (is it http:// and not https://?)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS (is it http:// and not https://?)',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the certificate of the server is self-signed (NODE_EXTRA_CA_CERTS names further authorities)',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate chain is self-signed (NODE_EXTRA_CA_CERTS names further authorities)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate of the server cannot be verified (NODE_EXTRA_CA_CERTS names further authorities)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host name',
}

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** No tunnel could be had through the proxy. */
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
  if (error instanceof ProxyFailure) {
    return `${error.message}: ${explainTransportFailure(error.cause, timeoutMs)}`
  }
  if (code === 'TIMEOUT') return `no complete response within ${timeoutMs} ms (PROBE_TIMEOUT_MS)`
  // The parser gives its reason as a code or as a message, never both.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return `the response is not valid HTTP (${code || error.message})`
  }
  const explanation = explanations[code]
  if (explanation !== undefined) return `${explanation} (${code})`
  return error instanceof Error
    ? `${error.message}${code === '' ? '' : ` (${code})`}`
    : String(error)
}

/** Whether the connection failed, so that a GET may be repeated on a new one. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof ProxyFailure) return isConnectionFailure(error.cause)
  return connectionFailures.has(codeOf(error))
}
