import type { ServerResponse } from 'node:http'
import type { ResponseParts } from './response-parts.ts'

/** The content in two chunks, so that a reader has to put them together; none of no content. */
function sendInChunks(content: Buffer, outgoing: ServerResponse): void {
  const middle = content.length >> 1
  for (const chunk of [content.subarray(0, middle), content.subarray(middle)]) {
    if (chunk.length > 0) outgoing.write(chunk)
  }
  outgoing.end()
}

/** Writes the response as it stands: nothing is added but the length of the content and the date. */
export function send(parts: ResponseParts, outgoing: ServerResponse): void {
  if (parts.raw !== undefined) {
    outgoing.socket?.end(parts.raw)
    return
  }
  outgoing.statusCode = parts.status
  outgoing.setHeaders(parts.headers)
  const content = parts.body === undefined ? undefined : Buffer.from(parts.body)
  if (content !== undefined && parts.headers.has('Transfer-Encoding')) {
    sendInChunks(content, outgoing)
    return
  }
  if (content !== undefined && !parts.headers.has('Content-Length')) {
    outgoing.setHeader('Content-Length', content.length)
  }
  outgoing.end(content)
}
