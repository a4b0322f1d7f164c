import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { codeOf, systemReason } from './errors.ts'

/** Far more than any run writes with the limits that it has by default. */
const MOST_BYTES = 32_000_000

/** A file is nothing that a run or an operator has left; the message reads on from its name. */
export class UnsupportedFileError extends Error {
  override readonly name = 'StrangeFileError'
}

/** @throws StrangeFileError for a pipe or a device, which may never end */
function requireRegular(path: string): void {
  if (!statSync(path).isFile()) throw new UnsupportedFileError('is no regular file')
}

/** What is in a file, from that byte on, or comes out of a pipe. @throws StrangeFileError */
export function readBounded(path: string, start?: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const chunks: Buffer[] = []
    for (let total = 0; total <= MOST_BYTES; ) {
      const chunk = Buffer.alloc(65_536)
      const place = start === undefined ? null : start + total
      const count = readSync(file, chunk, 0, chunk.length, place)
      if (count === 0) return Buffer.concat(chunks)
      total += count
      chunks.push(chunk.subarray(0, count))
    }
    throw new UnsupportedFileError(`has more than the ${MOST_BYTES / 1e6} MB that are read`)
  } finally {
    closeSync(file)
  }
}

/** The text of a file, without a byte order mark. @throws StrangeFileError */
export function readRegularFile(path: string): string {
  requireRegular(path)
  return readBounded(path)
    .toString('utf8')
    .replace(/^\ufeff/, '')
}

/** The lines of a file that begin within so many bytes of its end. @throws StrangeFileError */
export function readLastLines(path: string, bytes = 8_000_000): string[] {
  requireRegular(path)
  const start = Math.max(0, statSync(path).size - bytes)
  const lines = readBounded(path, start).toString('utf8').split('\n')
  return start === 0 ? lines : lines.slice(1)
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

/** Why a file cannot be read, to follow its name. */
export function readingProblem(error: unknown): string {
  if (isMissing(error)) return 'does not exist'
  return error instanceof UnsupportedFileError
    ? error.message
    : `cannot be read: ${systemReason(error)}`
}
