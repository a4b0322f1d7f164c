/** Node.js reads that variable when it starts. */
const furtherAuthorities =
  '(NODE_EXTRA_CA_CERTS names further authorities; it has to be in the environment of the process: ' +
  'an environment file is read too late)'

/** The server is there, and its certificate, or that of the client, is in the way. */
const certificateExplanations: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet',
  CERT_REVOKED: 'the certificate of the server was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate of the server is self-signed ${furtherAuthorities}`,
  SELF_SIGNED_CERT_IN_CHAIN: `the certificate chain is self-signed ${furtherAuthorities}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the certificate of the server cannot be verified ${furtherAuthorities}`,
  UNABLE_TO_GET_ISSUER_CERT: `the certificate chain of the server is incomplete ${furtherAuthorities}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the certificate of the server is of an authority that is not known ${furtherAuthorities}`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host name',
  UND_ERR_PRX_TLS: 'the certificate of the server, or of the proxy, is for another host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server asks for a certificate of the client',
}

const explanations: Record<string, string> = {
  ...certificateExplanations,
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
  UND_ERR_HEADERS_OVERFLOW: 'the response header is too large: it has more than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
    'the length of the response body is not clear: it is not its Content-Length, or there are ' +
    'several lengths, or Transfer-Encoding beside one',
  ERR_ASSERTION: 'the response is not valid HTTP: its status is below 100',
  UNUSED_TUNNEL:
    'the proxy answers in the place of the server, or closes the connection that it has opened to it',
  SILENT_HANDSHAKE:
    'the server takes the connection, and has not a byte to say to a TLS handshake (is it http:// ' +
    'and not https://?)',
  EPROTO: 'the server does not speak TLS as expected (is it http:// and not https://?)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS (is it http:// and not https://?)',
}

/** What undici says only in words of its own. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/^bad response$/, 'the server sent an interim response (100) that was not asked for'],
  [/^bad upgrade$/, 'the server changed to another protocol (101) without being asked to'],
  [
    /^Proxy response \(407\)/,
    'the proxy asks for credentials (407): they go into its URL, as http://user:password@host',
  ],
  [/^Proxy response \(\d+\)/, 'the proxy opens no connection to the server'],
]

/** Why the parser gave up, which is within parentheses behind what it always says. */
function parserReason({ message }: Error): string {
  const reason = /\((.*)\)$/.exec(message)?.[1] ?? message
  return reason.startsWith('Expected HTTP/') ? 'it does not begin with HTTP/' : reason
}

function inWords(error: unknown, code: string): string | undefined {
  const found = messages.find(([form]) => error instanceof Error && form.test(error.message))
  if (found !== undefined) return found[1]
  if (explanations[code] !== undefined) return explanations[code]
  return code.startsWith('ERR_SSL_') ? 'the TLS handshake failed' : undefined
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
  'UNUSED_TUNNEL',
])

const timeouts = new Set([
  'TIMEOUT',
  'SILENT_HANDSHAKE',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** What came is no response, or goes beyond what is read of one. */
const unreadable = new Set([
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_ASSERTION',
])
const unreadableNames = new Set([
  'HTTPParserError',
  'ContentCodingError',
  'JsonLimitError',
  'KeptBodiesError',
])

/** No tunnel could be had through the proxy. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure'
  readonly code = 'PROXY_FAILURE'

  constructor(cause: unknown) {
    super('no connection through the proxy', { cause })
  }
}

/** A proxy opened a tunnel, and it ended before anything was sent through it. */
export class UnusedTunnel extends Error {
  override readonly name = 'UnusedTunnel'
  readonly code = 'UNUSED_TUNNEL'
}

/** Half of the time limit has passed since the connection was there. */
export class SilentHandshake extends Error {
  override readonly name = 'SilentHandshake'
  readonly code = 'SILENT_HANDSHAKE'
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
    return `the response is not valid HTTP (${code || parserReason(error)})`
  }
  const explanation = inWords(error, code)
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

/** Whether a moment later there may be a response: the connection failed, or time was too short. */
export function isTransientFailure(error: unknown): boolean {
  return isConnectionFailure(error) || timeouts.has(codeOf(error))
}

/** Whether the server is there, and a certificate is in the way. */
export function isCertificateFailure(error: unknown): boolean {
  if (error instanceof ProxyFailure) return isCertificateFailure(error.cause)
  return Object.hasOwn(certificateExplanations, codeOf(error))
}

/** Whether something came from the server, and it could not be read. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof Error && (unreadableNames.has(error.name) || unreadable.has(codeOf(error)))
  )
}
