import { readFileSync, statSync } from 'node:fs'

const NOT_REGULAR = 'NOT_REGULAR'
const TOO_LARGE = 'TOO_LARGE'

/** Far more than any run writes with the limits that it has by default. */
const MOST_MEGABYTES = 32

const problems: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: part of the path is a file',
  EISDIR: 'is a directory',
  EACCES: 'cannot be read: there is no permission',
  EPERM: 'cannot be read: there is no permission',
  [NOT_REGULAR]: 'is no regular file',
  [TOO_LARGE]: `has more than the ${MOST_MEGABYTES} MB that are read`,
}

/** The code of the system, such as `ENOENT`; an empty text where there is none. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

/** Whether a file is there that no run has left. */
export function isStrange(error: unknown): boolean {
  return [NOT_REGULAR, TOO_LARGE].includes(codeOf(error))
}

/** Why a file cannot be read, to follow its name. */
export function readingProblem(error: unknown): string {
  return problems[codeOf(error)] ?? `cannot be read (${codeOf(error)})`
}

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
