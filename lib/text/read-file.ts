import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { codeOf, systemReason } from './system-reason.ts'

/** Maximum file size, far above the size of a report with default limits. */
const MAX_FILE_BYTES = 32_000_000

/** Thrown for a file that is not regular or is too large. The message continues the file name. */
class UnsupportedFileError extends Error {
  override readonly name = 'UnsupportedFileError'
}

/** Returns the size of a file. @throws UnsupportedFileError for a pipe or a device, which may never end */
function regularSize(file: string | number): number {
  const found = typeof file === 'number' ? fstatSync(file) : statSync(file)
  if (!found.isFile()) throw new UnsupportedFileError('is not a regular file')
  return found.size
}

/** Reads a file, by path or descriptor, from a byte offset, or a pipe. @throws UnsupportedFileError */
export function readBounded(source: string | number, start?: number): Buffer {
  const file = typeof source === 'number' ? source : openSync(source, 'r')
  try {
    const chunks: Buffer[] = []
    for (let total = 0; total <= MAX_FILE_BYTES; ) {
      const chunk = Buffer.alloc(65_536)
      const position = start === undefined ? null : start + total
      const count = readSync(file, chunk, 0, chunk.length, position)
      if (count === 0) return Buffer.concat(chunks)
      total += count
      chunks.push(chunk.subarray(0, count))
    }
    throw new UnsupportedFileError(`has more than the ${MAX_FILE_BYTES / 1e6} MB that are read`)
  } finally {
    if (file !== source) closeSync(file)
  }
}

/** Reads a text file without its byte order mark. @throws UnsupportedFileError */
export function readRegularFile(path: string): string {
  regularSize(path)
  return readBounded(path)
    .toString('utf8')
    .replace(/^\ufeff/, '')
}

/** Reads the lines that start within the last `bytes` bytes of a file, by path or descriptor. @throws UnsupportedFileError */
export function readLastLines(file: string | number, bytes = 8_000_000): string[] {
  const start = Math.max(0, regularSize(file) - bytes)
  const lines = readBounded(file, start).toString('utf8').split('\n')
  return start === 0 ? lines : lines.slice(1)
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

/** Returns the reason why a file cannot be read, to follow its name. */
export function readingProblem(error: unknown): string {
  if (isMissing(error)) return 'does not exist'
  return error instanceof UnsupportedFileError
    ? error.message
    : `cannot be read: ${systemReason(error)}`
}
