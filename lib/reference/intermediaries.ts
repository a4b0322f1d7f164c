import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type IncomingRequest, type Intermediary, type ResponseParts, rawParts } from './http.ts'
import { tolerance, type VariantTraits } from './service.ts'

/** Makes what stands before all services; it is called once per start, for state of its own. */
export type MakeIntermediary = () => Intermediary

const codings = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }

/** Without `Accept-Encoding` every coding is acceptable (RFC 9110, 12.5.3). */
function accepts(coding: string, field: string | null): boolean {
  if (field === null) return true
  return field.split(',').some((element) => {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/i.test(parameter))
    return !refused && (name === '*' || name.toLowerCase() === coding)
  })
}

function compressed(coding: keyof typeof codings): MakeIntermediary {
  return () => async (request, answer) => {
    const parts = await answer(request)
    const { body, headers } = parts
    if (body === undefined || !accepts(coding, request.headers.get('Accept-Encoding'))) return parts
    headers.set('Content-Encoding', coding)
    headers.set('Vary', 'Accept-Encoding')
    return { ...parts, body: codings[coding](body) }
  }
}

/** What is done to every response that has no bytes of its own. */
function changed(change: (parts: ResponseParts) => ResponseParts): MakeIntermediary {
  return () => async (request, answer) => {
    const parts = await answer(request)
    return parts.raw === undefined ? change(parts) : parts
  }
}

function fieldNames(change: (name: string) => string): MakeIntermediary {
  return changed((parts) => rawParts(parts, (name, value) => [`${change(name)}:${value}`]))
}

function withHeaders(fields: Readonly<Record<string, string>>): MakeIntermediary {
  return changed((parts) => {
    for (const [name, value] of Object.entries(fields)) parts.headers.append(name, value)
    return parts
  })
}

/** An interim response before the response (RFC 8297). */
function withEarlyHints(parts: ResponseParts): ResponseParts {
  const { raw } = rawParts(parts, (name, value) => [`${name}: ${value}`])
  const hints = ['HTTP/1.1 103 Early Hints', 'Link: </style.css>; rel=preload; as=style', '', '']
  return { ...parts, raw: `${hints.join('\r\n')}${raw}` }
}

/** Everything escaped that may be, within strings. */
function escaped(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replaceAll(/[^\s!-;=?-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

interface IntermediaryVariant extends VariantTraits {
  readonly intermediary: MakeIntermediary
}

/** Other ways in which responses of all services travel. */
const transferVariants: readonly IntermediaryVariant[] = [
  ...(['gzip', 'br', 'deflate'] as const).map((coding) => ({
    name: `responses-compressed-with-${coding}`,
    intermediary: compressed(coding),
  })),
  {
    name: 'responses-in-chunks',
    intermediary: changed((parts) => {
      if (parts.body !== undefined) parts.headers.set('Transfer-Encoding', 'chunked')
      return parts
    }),
  },
  { name: 'connections-closed', intermediary: withHeaders({ Connection: 'close' }) },
  {
    name: 'header-names-in-lower-case',
    intermediary: fieldNames((name) => name.toLowerCase()),
  },
  {
    name: 'header-names-in-upper-case',
    intermediary: fieldNames((name) => name.toUpperCase()),
  },
  {
    name: 'headers-of-a-gateway',
    intermediary: withHeaders({
      Via: '1.1 gateway.example',
      'Set-Cookie': 'route=7; Path=/; HttpOnly',
      'Cache-Control': 'no-store',
      'X-Request-Id': '0b1c',
      Vary: 'Origin',
      'Strict-Transport-Security': 'max-age=31536000',
    }),
  },
  { name: 'early-hints', intermediary: changed(withEarlyHints) },
  {
    name: 'json-written-in-another-way',
    intermediary: changed((parts) => {
      const isJson = parts.headers.get('Content-Type')?.includes('json') === true
      if (typeof parts.body !== 'string' || !isJson) return parts
      return {
        ...parts,
        body: `\r\n${escaped(JSON.stringify(JSON.parse(parts.body), null, '\t'))}\n`,
      }
    }),
  },
]

const further = {
  url: 'https://elsewhere.example/records/7',
  further_text: 'Grüße',
  further_record: { id: 7, login: 'nobody', full_name: null, url: '', message: ['none'] },
  further_list: [{ deep: [1.5, false, null] }],
}

function withFurtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFurtherFields)
  return typeof value === 'object' && value !== null ? { ...further, ...value } : value
}

const everyRecord: MakeIntermediary = () => async (request, answer) => {
  const parts = await answer(request)
  const isJson = parts.headers.get('Content-Type')?.includes('json') === true
  if (typeof parts.body !== 'string' || !isJson) return parts
  return { ...parts, body: JSON.stringify(withFurtherFields(JSON.parse(parts.body)), undefined, 2) }
}

/** Records and error bodies that have more than the documents show. */
const furtherFieldVariants: readonly IntermediaryVariant[] = [
  {
    name: 'further-fields',
    tolerances: tolerance('further-fields', [
      'code-hosting/errors/body',
      'code-hosting/tokens/created',
      'code-hosting/resources/user',
      'code-hosting/resources/repository',
      'code-hosting/resources/repositories',
      'code-hosting/settings/record',
    ]),
    intermediary: everyRecord,
  },
]

const body = 'code-hosting/errors/body/gateway-responses'

function gatewayParts(status: number, retryAfter?: string): ResponseParts {
  const headers = new Headers({ 'Content-Type': 'text/html', Server: 'gateway' })
  if (retryAfter !== undefined) headers.set('Retry-After', retryAfter)
  return { status, headers, body: '<!doctype html><title>Not now</title>' }
}

function identity({ method, url, headers }: IncomingRequest): string {
  return JSON.stringify([method, url.href, [...headers]])
}

/** Every so many requests of the method get an answer of the gateway, no request two of them. */
function nowAndThen(
  method: string,
  every: number,
  answers: readonly ResponseParts[],
): MakeIntermediary {
  return () => {
    const hit = new Set<string>()
    let requests = 0
    return async (request, answer) => {
      if (request.method === method) requests += 1
      const due = request.method === method && requests % every === 0
      const parts = answers[hit.size % answers.length]
      if (!due || parts === undefined || hit.has(identity(request))) return answer(request)
      hit.add(identity(request))
      return parts
    }
  }
}

/** Every third POST that a service accepts is done, and its answer does not arrive. */
const answersLost: MakeIntermediary = () => {
  const accepted = new Map<string, number>()
  return async (request, answer) => {
    const parts = await answer(request)
    if (request.method !== 'POST' || parts.status >= 300) return parts
    const [, , service = ''] = request.url.pathname.split('/')
    const count = (accepted.get(service) ?? 0) + 1
    accepted.set(service, count)
    return count % 3 === 0 ? gatewayParts(504) : parts
  }
}

/** A gateway before all services that answers in their place now and then. */
const gatewayVariants: readonly IntermediaryVariant[] = [
  {
    name: 'too-many-requests-now-and-then',
    tolerances: [body],
    intermediary: nowAndThen('GET', 20, [gatewayParts(429, '0')]),
  },
  {
    name: 'too-many-requests-for-a-second',
    tolerances: [body],
    intermediary: nowAndThen('GET', 60, [gatewayParts(429, '1')]),
  },
  {
    name: 'unavailable-now-and-then',
    tolerances: [body],
    intermediary: nowAndThen('GET', 20, [gatewayParts(502), gatewayParts(503), gatewayParts(504)]),
  },
  { name: 'answers-lost', intermediary: answersLost },
]

/** Conforming deployments that differ in what stands before all services. */
export const intermediaryVariants = [
  ...transferVariants,
  ...furtherFieldVariants,
  ...gatewayVariants,
]
