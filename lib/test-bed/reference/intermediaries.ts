import { deflateSync, gzipSync } from 'node:zlib'
import {
  type IncomingRequest,
  type Intermediary,
  type ResponseParts,
  rawParts,
  responseParts,
} from './http.ts'
import { inSection, type Tolerance, tolerance } from './rule-tables.ts'

/** Creates an intermediary; called once per start of a server. */
export type MakeIntermediary = () => Intermediary

const alterResponses =
  (change: (parts: ResponseParts, request: IncomingRequest) => ResponseParts): MakeIntermediary =>
  () =>
  async (request, respond) => {
    const parts = await respond(request)
    return parts.raw === undefined ? change(parts, request) : parts
  }

const compressed = (coding: string, encode: (body: string | Uint8Array) => Buffer) =>
  alterResponses((parts, request) => {
    const { body, headers } = parts
    // Without the field, every coding is acceptable (RFC 9110, 12.5.3).
    const isAcceptable = request.headers.get('Accept-Encoding')?.includes(coding) ?? true
    if (body === undefined || !isAcceptable) return parts
    headers.set('Content-Encoding', coding)
    headers.set('Vary', 'Accept-Encoding')
    return { ...parts, body: encode(body) }
  })

const fieldNames = (change: (name: string) => string) =>
  alterResponses((parts) => rawParts(parts, (name, value) => [`${change(name)}:${value}`]))

const withHeaders = (fields: Readonly<Record<string, string>>) =>
  alterResponses((parts) => {
    for (const [name, value] of Object.entries(fields)) parts.headers.append(name, value)
    return parts
  })

const withJson = (change: (value: unknown) => string) =>
  alterResponses((parts) => {
    const isJson = parts.headers.get('Content-Type')?.includes('json') === true
    if (typeof parts.body !== 'string' || !isJson) return parts
    return { ...parts, body: change(JSON.parse(parts.body)) }
  })

const inChunks = alterResponses((parts) => {
  if (parts.body !== undefined) parts.headers.set('Transfer-Encoding', 'chunked')
  return parts
})

/** Sends an interim response first (RFC 8297). */
const withEarlyHints = alterResponses((parts) => {
  const { raw } = rawParts(parts, (name, value) => [`${name}: ${value}`])
  const hints = ['HTTP/1.1 103 Early Hints', 'Link: </style.css>; rel=preload; as=style', '', '']
  return { ...parts, raw: `${hints.join('\r\n')}${raw}` }
})

/** Formats as JSON and escapes every character of strings that may be escaped. */
function escaped(value: unknown): string {
  return JSON.stringify(value, null, '\t')
    .replaceAll('/', '\\/')
    .replaceAll(/[^\s!-;=?-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

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

function gatewayParts(status: number, retryAfter?: string): ResponseParts {
  const fields = { 'Content-Type': 'text/html', Server: 'gateway' }
  const parts = responseParts(status, fields, '<!doctype html><title>Not now</title>')
  if (retryAfter !== undefined) parts.headers.set('Retry-After', retryAfter)
  return parts
}

/** Replaces the response to every Nth GET, but never twice for the same request. */
function failEvery(every: number, ...responses: readonly ResponseParts[]): MakeIntermediary {
  return () => {
    const hit = new Set<string>()
    let requests = 0
    return async (request, respond) => {
      if (request.method !== 'GET') return respond(request)
      requests += 1
      const parts = responses[hit.size % responses.length]
      // Each attempt has a name of its own in User-Agent.
      const fields = [...request.headers].filter(([name]) => name.toLowerCase() !== 'user-agent')
      const identity = JSON.stringify([request.url.href, fields])
      if (requests % every !== 0 || hit.has(identity) || !parts) return respond(request)
      hit.add(identity)
      return parts
    }
  }
}

/** Loses the first response to each POST that a service accepts; a retry differs by a number at most. */
const responsesLost: MakeIntermediary = () => {
  const lost = new Set<string>()
  return async (request, respond) => {
    const parts = await respond(request)
    if (request.method !== 'POST' || parts.status >= 300) return parts
    const key = `${request.url.pathname} ${(await request.text()).replaceAll(/-?\d+/g, '')}`
    if (lost.has(key)) return parts
    lost.add(key)
    return gatewayParts(504)
  }
}

const furtherFields = tolerance(
  'further-fields',
  ...inSection('code-hosting', 'errors/body', 'tokens/created', 'settings/record'),
  ...inSection('code-hosting/resources', 'user', 'repository', 'repositories'),
)

const uses = (
  tolerances: readonly Tolerance[],
  table: Readonly<Record<string, MakeIntermediary>>,
) => Object.entries(table).map(([name, intermediary]) => ({ name, intermediary, tolerances }))

export const intermediaryVariants = [
  uses([], {
    'responses-compressed-with-gzip': compressed('gzip', gzipSync),
    'responses-compressed-with-deflate': compressed('deflate', deflateSync),
    'responses-in-chunks': inChunks,
    'connections-closed': withHeaders({ Connection: 'close' }),
    'header-names-in-lower-case': fieldNames((name) => name.toLowerCase()),
    'headers-of-a-gateway': withHeaders({
      Via: '1.1 gateway.example',
      'Set-Cookie': 'route=7; Path=/; HttpOnly',
      'Cache-Control': 'no-store',
      'X-Request-Id': '0b1c',
      Vary: 'Origin',
      'Strict-Transport-Security': 'max-age=31536000',
    }),
    'early-hints': withEarlyHints,
    'json-formatted-differently': withJson((value) => `\r\n${escaped(value)}\n`),
    'responses-lost': responsesLost,
  }),
  uses(furtherFields, {
    'further-fields': withJson((value) => JSON.stringify(withFurtherFields(value), undefined, 2)),
  }),
  uses(tolerance('gateway-responses', 'code-hosting/errors/body'), {
    'unavailable-sometimes': failEvery(
      10,
      ...[gatewayParts(429, '0'), ...[502, 503, 504].map((is) => gatewayParts(is))],
    ),
  }),
].flat()
