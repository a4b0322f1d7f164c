import { readFileSync, statSync } from 'node:fs'

import { codeOf, systemReason } from '../environment/problems.ts'

/** Far more than any run writes with the limits that it has by default. */
const MOST_MEGABYTES = 32

/** A file is nothing that a run or an operator has left; the message reads on from its name. */
export class StrangeFileError extends Error {
  override readonly name = 'StrangeFileError'
}

/**
 * The text of a file. A pipe may never end, and what is too large is no file of ours.
 *
 * @throws StrangeFileError for such a file, or an error of the system
 */
export function readRegularFile(path: string): string {
  const stat = statSync(path)
  if (!stat.isFile() && !stat.isDirectory()) throw new StrangeFileError('is no regular file')
  if (stat.size > MOST_MEGABYTES * 1e6) {
    throw new StrangeFileError(`has more than the ${MOST_MEGABYTES} MB that are read`)
  }
  return readFileSync(path, 'utf8')
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

/** Why a file cannot be read, to follow its name. */
export function readingProblem(error: unknown): string {
  if (isMissing(error)) return 'does not exist'
  return error instanceof StrangeFileError
    ? error.message
    : `cannot be read: ${systemReason(error)}`
}
