import type { ServerResponse } from 'node:http'
import type { ResponseParts } from './response-parts.ts'

/** Writes the response as it stands: nothing is added but the length of the content and the date. */
export function send(parts: ResponseParts, outgoing: ServerResponse): void {
  if (parts.raw !== undefined) {
    outgoing.socket?.end(parts.raw)
    return
  }
  outgoing.statusCode = parts.status
  outgoing.setHeaders(parts.headers)
  if (parts.body !== undefined && !parts.headers.has('Content-Length')) {
    outgoing.setHeader('Content-Length', Buffer.byteLength(parts.body))
  }
  outgoing.end(parts.body)
}
