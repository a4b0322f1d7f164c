import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** Content codings of RFC 9110, 8.4.1, and Brotli (RFC 7932). */
const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** More than one is rare already, and each takes its time. */
const MOST_CODINGS = 8
const LONGEST_SHOWN = 40

/** A body does not have the content coding that its header names, or is too large without it. */
export class ContentCodingError extends Error {
  override readonly name = 'ContentCodingError'
  readonly code: string

  constructor(message: string, cause?: unknown) {
    const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? 'ERR_CONTENT_CODING'
    super(message, { cause })
    // Node.js says so when the decoded body would exceed the limit.
    this.code = code === 'ERR_BUFFER_TOO_LARGE' ? 'UND_ERR_RES_EXCEEDED_MAX_SIZE' : code
  }
}

function codingsIn(field: string | null): string[] {
  return (field ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
}

/**
 * Undoes the codings that a `Content-Encoding` field lists, last first. A coding that is not known
 * leaves a body as it is that is text all the same: some servers name there what is no coding.
 *
 * @param maxBytes limit on the decoded size
 * @throws ContentCodingError
 */
export async function decodeContent(
  body: Buffer,
  field: string | null,
  maxBytes: number,
): Promise<Buffer> {
  const codings = codingsIn(field)
  if (codings.length > MOST_CODINGS && body.length > 0) {
    throw new ContentCodingError(`the body has ${codings.length} content codings, too many to undo`)
  }
  let decoded = body
  let unknown: string | undefined
  for (const coding of codings.reverse()) {
    const decode = decoders.get(coding)
    if (decode === undefined) unknown = coding
    if (decode === undefined || decoded.length === 0) continue
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes })
    } catch (error) {
      throw new ContentCodingError(`the body cannot be decoded as ${coding}`, error)
    }
  }
  if (unknown !== undefined && !isUtf8(decoded)) {
    const shown = JSON.stringify(unknown.slice(0, LONGEST_SHOWN))
    throw new ContentCodingError(`the body has the content coding ${shown}, which is not known`)
  }
  return decoded
}
