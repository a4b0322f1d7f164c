import { connectToFormat, type Proxies, type TlsOptions } from './connections.ts'
import { extraHeaders } from './extra-headers.ts'
import {
  file,
  oneOf,
  password,
  type TargetOf,
  text,
  traceUrl,
  trueOrFalse,
  type VariableGroup,
  type VariableTable,
  wholeNumber,
} from './variable.ts'

const table = {
  readOnly: {
    name: 'PROBE_READ_ONLY',
    format: trueOrFalse,
    default: false,
    meaning: 'Send only GET requests; requirements that need another method are skipped.',
  },
  wording: {
    name: 'PROBE_WORDING',
    format: oneOf('strict', 'advisory'),
    default: 'strict',
    meaning:
      '`strict`: a message with another text than the documented one is a failure. `advisory`: it is only reported.',
  },
  evidence: {
    name: 'PROBE_EVIDENCE',
    format: oneOf('full', 'headers'),
    default: 'full',
    meaning:
      '`full`: reports contain complete exchanges. `headers`: they contain no bodies, only their sizes, for example to omit personal data.',
  },
  concurrency: {
    name: 'PROBE_CONCURRENCY',
    format: wholeNumber(1, 1000),
    default: 8,
    meaning: 'Maximum number of concurrent requests.',
  },
  requestsPerSecond: {
    name: 'PROBE_REQUESTS_PER_SECOND',
    format: wholeNumber(1, 10_000),
    meaning: 'Maximum number of requests in any second, including retries.',
    example: '5',
  },
  connectTo: {
    name: 'PROBE_CONNECT_TO',
    format: connectToFormat,
    meaning:
      'HOST:PORT:ADDRESS:PORT, like `--connect-to` of curl: requests to HOST:PORT are sent to ADDRESS:PORT, such as one node of a deployment. `Host` and TLS keep the name in the URL.',
    example: 'git.example.com:443:10.0.0.7:443',
  },
  timeoutMs: {
    name: 'PROBE_TIMEOUT_MS',
    format: wholeNumber(1, 3_600_000),
    default: 10_000,
    meaning: 'Timeout of an attempt in milliseconds; with https, half of it is for the connection.',
  },
  retries: {
    name: 'PROBE_RETRIES',
    format: wholeNumber(0, 10),
    default: 2,
    meaning:
      'Retries of a request after a transient failure; a service that has responded before gets one more.',
  },
  maxBodyBytes: {
    name: 'PROBE_MAX_BODY_BYTES',
    // Limited by the maximum length of a JavaScript string.
    format: wholeNumber(1, 500_000_000),
    default: 10_485_760,
    meaning: 'Maximum number of bytes that are read of a response body.',
  },
  maxPages: {
    name: 'PROBE_MAX_PAGES',
    format: wholeNumber(1, 1_000_000),
    default: 100,
    meaning:
      'Maximum number of pages that are read of a list; requirements that need more are inconclusive.',
  },
  headers: {
    name: 'PROBE_HEADERS',
    format: extraHeaders,
    meaning:
      'Header fields of every request, as a JSON object, for a gateway in front of the services; reports show `$HEADER_…` instead of the values.',
    secret: true,
    example: '{"X-Gateway-Key":"abcd1234"}',
  },
  userAgentPrefix: {
    name: 'PROBE_USER_AGENT',
    format: text(
      (value) => /^(?=[\x21-\x7e])[\x20-\x7e]{1,256}$/.test(value),
      'must be 1 to 256 characters of printable ASCII, without line breaks',
    ),
    meaning:
      'Text before the `User-Agent` of Plumbline, for a firewall that rejects unknown ones. Curl commands send this text.',
    example: 'Mozilla/5.0',
  },
  trace: {
    name: 'PROBE_TRACE',
    format: trueOrFalse,
    meaning:
      'Send `traceparent` (W3C Trace Context) with every request, so that the server traces it; reports have the trace ids.',
  },
  traceUrl: {
    name: 'PROBE_TRACE_URL',
    format: traceUrl,
    meaning:
      'URL of a trace in your viewer, with `{traceId}`: reports link each exchange to its trace.',
    example: 'https://jaeger.example.com/trace/{traceId}',
  },
  tlsAuthority: {
    name: 'PROBE_TLS_CA',
    format: file,
    meaning: 'PEM file with the authorities to trust, instead of the authorities of Node.js.',
  },
  tlsClient: {
    certificate: {
      name: 'PROBE_TLS_CERT',
      format: file,
      meaning: 'PEM file with the client certificate, and its chain if the server needs it.',
    },
    key: {
      name: 'PROBE_TLS_KEY',
      format: file,
      meaning: 'PEM file with the private key of the client certificate.',
    },
  },
  tlsPassphrase: {
    name: 'PROBE_TLS_KEY_PASSPHRASE',
    format: password,
    meaning: 'Passphrase of that key, if it is encrypted.',
    secret: true,
  },
} as const satisfies VariableTable

export const probeVariables: VariableGroup = {
  key: 'probe',
  prefix: 'PROBE_',
  table,
  oneOf: { PROBE_TLS_KEY_PASSPHRASE: ['PROBE_TLS_KEY'], PROBE_TRACE_URL: ['PROBE_TRACE'] },
}

export interface ProbeLimits extends TargetOf<typeof table> {
  /** Absolute URLs, possibly with credentials; `no`: unparsed list of hosts that are reached directly. */
  proxy: Proxies
  tls?: TlsOptions
}

/** Plain data that can be cloned. Each configured service adds a key, with the values of its variables. */
export interface Target {
  probe: ProbeLimits
}
