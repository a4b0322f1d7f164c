import { readFileSync, statSync } from 'node:fs'

export const NOT_REGULAR = 'NOT_REGULAR'
export const TOO_LARGE = 'TOO_LARGE'

/** Far more than any run writes with the limits that it has by default. */
export const MOST_MEGABYTES = 32

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/**
 * The text of a file. A pipe may never end, and what is too large is no file of ours.
 *
 * @throws Error of the system, or with the code NOT_REGULAR or TOO_LARGE
 */
export function readRegularFile(path: string): string {
  const stat = statSync(path)
  if (!stat.isFile() && !stat.isDirectory()) throw failure(NOT_REGULAR)
  if (stat.size > MOST_MEGABYTES * 1e6) throw failure(TOO_LARGE)
  return readFileSync(path, 'utf8')
}
