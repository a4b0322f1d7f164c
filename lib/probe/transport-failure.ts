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

const causes: Record<FailureKind | 'unknown', Readonly<Record<string, string>>> = {
  connection: {
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was reset',
    EPIPE: 'the connection was closed while the request was sent',
    EAI_AGAIN: 'the host name does not resolve at the moment',
    EHOSTUNREACH: 'there is no route to the host',
    ENETUNREACH: 'there is no route to the network',
    ETIMEDOUT: 'the connection timed out',
    UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit (PROBE_TIMEOUT_MS)',
    UND_ERR_SOCKET: 'the connection was closed before the response ended',
    UNUSED_TUNNEL:
      'the proxy answers in the place of the server, or closes the connection that it has opened to it',
  },
  timeout: {
    UND_ERR_HEADERS_TIMEOUT: 'no response within the time limit (PROBE_TIMEOUT_MS)',
    UND_ERR_BODY_TIMEOUT: 'the response did not end within the time limit (PROBE_TIMEOUT_MS)',
    SILENT_HANDSHAKE:
      'the server takes the connection, and has not a byte to say to a TLS handshake (is it http:// ' +
      'and not https://?)',
  },
  certificate: {
    CERT_HAS_EXPIRED: 'the certificate of the server has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate of the server is self-signed ${furtherAuthorities}`,
    ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host name',
    UND_ERR_PRX_TLS: 'the certificate of the server, or of the proxy, is for another host name',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server asks for a certificate of the client',
  },
  unreadable: {
    UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the response is larger than PROBE_MAX_BODY_BYTES allows',
    UND_ERR_HEADERS_OVERFLOW: 'the response header is too large: it has more than 16 KiB',
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
      'the length of the response body is not clear: it is not its Content-Length, or there are ' +
      'several lengths, or Transfer-Encoding beside one',
    ERR_ASSERTION: 'the response is not valid HTTP: its status is below 100',
  },
  unknown: {
    ENOTFOUND: 'the host name does not resolve',
    EPROTO: 'the server does not speak TLS as expected (is it http:// and not https://?)',
    ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS (is it http:// and not https://?)',
  },
}

/** Other reasons of OpenSSL for which a certificate is not accepted. */
const OTHER_CERTIFICATE = /^(?:CERT|SELF_SIGNED|UNABLE_TO)_/

/** The kind of a failure and what to say of it, as far as its code tells. */
function causeOf(code: string, message = ''): { kind?: FailureKind; words?: string } {
  for (const [kind, words] of Object.entries(causes)) {
    if (!Object.hasOwn(words, code)) continue
    return { ...(kind !== 'unknown' && { kind: kind as FailureKind }), words: words[code] }
  }
  if (OTHER_CERTIFICATE.test(code)) {
    const words = `the certificate of the server is not accepted: ${message} ${furtherAuthorities}`
    return { kind: 'certificate', words }
  }
  return code.startsWith('ERR_SSL_') ? { words: 'the TLS handshake failed' } : {}
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
  const message = error instanceof Error ? error.message : String(error)
  const [, reported] = messages.find(([form]) => form.test(message)) ?? []
  const explanation = reported ?? causeOf(code, message).words ?? message
  return code === '' ? explanation : `${explanation} (${code})`
}

/** `undefined` for a failure that says nothing of the server. */
export function kindOfFailure(error: unknown): FailureKind | undefined {
  if (error instanceof ProxyFailure) {
    const kind = kindOfFailure(error.cause)
    // Of anything else nobody knows whether it came from the proxy or from the server.
    return kind === 'connection' || kind === 'certificate' ? kind : undefined
  }
  if (error instanceof Error && unreadableNames.has(error.name)) return 'unreadable'
  const code = codeOf(error)
  return code === 'TIMEOUT' ? 'timeout' : causeOf(code).kind
}
