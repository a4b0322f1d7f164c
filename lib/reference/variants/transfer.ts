import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type FieldLines, rawParts } from '../http/raw-parts.ts'
import type { ResponseParts } from '../http/response-parts.ts'
import type { MakeIntermediary, Variant } from '../variant.ts'

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
  const fieldLines: FieldLines = (name, value) => [`${change(name)}:${value}`]
  return changed((parts) => rawParts(parts, fieldLines))
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

/** Other ways in which responses of all services travel. */
export const transferVariants: readonly Variant[] = [
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
