import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** Content codings of RFC 9110, 8.4.1, and Brotli (RFC 7932). */
const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** A body does not have the content coding that its header names, or is too large without it. */
export class ContentCodingError extends Error {
  override readonly name = 'ContentCodingError'
  readonly code: string

  constructor(coding: string, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'ERR_CONTENT_CODING'
    super(`the body cannot be decoded as ${coding}`, { cause })
    // Node.js says so when the decoded body would exceed the limit.
    this.code = code === 'ERR_BUFFER_TOO_LARGE' ? 'UND_ERR_RES_EXCEEDED_MAX_SIZE' : code
  }
}

/**
 * Undoes the codings that a `Content-Encoding` field lists, last first. A coding that is not known
 * leaves the body as it is.
 *
 * @param maxBytes limit on the decoded size
 * @throws ContentCodingError
 */
export async function decodeContent(
  body: Buffer,
  field: string | null,
  maxBytes: number,
): Promise<Buffer> {
  const codings = (field ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  let decoded = body
  for (const coding of codings.reverse()) {
    const decode = decoders.get(coding)
    if (decode === undefined || decoded.length === 0) continue
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes })
    } catch (error) {
      throw new ContentCodingError(coding, error)
    }
  }
  return decoded
}
