/** A response before it is written. */
export interface ResponseParts {
  status: number
  headers: Headers
  /** Absent on a response without content. Sent in chunks where `Transfer-Encoding` says so. */
  body?: string | Uint8Array
  /**
   * Bytes to write to the connection instead of all the above, for what no HTTP library sends (such
   * as content on a 204). The connection is closed after them.
   */
  raw?: string
}

/** A response with JSON content (RFC 8259). */
export function jsonParts(status: number, value: unknown, contentType: string): ResponseParts {
  const headers = new Headers({ 'Content-Type': contentType })
  return { status, headers, body: JSON.stringify(value) }
}

/** 204 (RFC 9110, 15.3.5). */
export function noContentParts(): ResponseParts {
  return { status: 204, headers: new Headers() }
}
