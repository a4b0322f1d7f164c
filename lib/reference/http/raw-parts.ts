import { STATUS_CODES } from 'node:http'
import type { ResponseParts } from './response-parts.ts'

/** Field lines for one header field; by default one that has its name and value. */
export type FieldLines = (name: string, value: string) => readonly string[]

/**
 * The response as bytes, for field lines that no HTTP library writes. The connection is closed after
 * it, and the response says so.
 */
export function rawParts(parts: ResponseParts, fieldLines: FieldLines): ResponseParts {
  const content = parts.body === undefined ? '' : Buffer.from(parts.body).toString()
  const headers = new Headers(parts.headers)
  headers.set('Connection', 'close')
  headers.set('Date', new Date().toUTCString())
  if (parts.status !== 204) headers.set('Content-Length', String(Buffer.byteLength(content)))
  const lines = [...headers].flatMap(([name, value]) => fieldLines(name, value))
  const statusLine = `HTTP/1.1 ${parts.status} ${STATUS_CODES[parts.status] ?? ''}`
  return { ...parts, raw: [statusLine, ...lines, '', content].join('\r\n') }
}
