import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { systemReason } from '../environment/errors.ts'

export class ReportNotWrittenError extends Error {
  override readonly name = 'ReportNotWrittenError'

  constructor(path: string, cause: unknown) {
    super(`Cannot write ${path}: ${systemReason(cause)}`, { cause })
  }
}

export interface FileStorage {
  /** Writes a new file; back only when it has reached the disk. */
  write(path: string, content: string, mode?: number): void
  rename(from: string, to: string): void
}

const disk: FileStorage = {
  write: (path, content, mode) => {
    writeFileSync(path, content, { flag: 'wx', flush: true, ...(mode !== undefined && { mode }) })
  },
  rename: renameSync,
}

/** Unlike a renamed file, a link never takes the place of another file. */
export const onlyNewFiles: FileStorage = { ...disk, rename: linkSync }

function withPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}

/**
 * Makes a directory, and those above it that are missing. Step by step: Node.js makes directories
 * below /proc recursively without end.
 */
export function makeDirectory(directory: string): void {
  const parent = dirname(directory)
  if (!existsSync(parent)) makeDirectory(parent)
  try {
    mkdirSync(directory)
  } catch (error) {
    // It may be there, or another run may have made it in the meantime.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Returns the permissions of the file to replace; a link gives none. @throws Error if it is neither */
function modeOf(path: string): number | undefined {
  const before = lstatSync(path, { throwIfNoEntry: false })
  if (before === undefined || before.isSymbolicLink()) return undefined
  if (!before.isFile()) throw new Error('it is no regular file')
  return before.mode & 0o777
}

/**
 * Writes files that belong together: all are on the disk before the first one takes its place, so
 * that a full disk leaves the old ones as they were. A reader sees a whole file, old or new. A symbolic
 * link is replaced and never followed: in a shared folder, another user may have put it there.
 *
 * @throws ReportNotWrittenError when the file system refuses
 */
export function replaceFiles(
  files: readonly { path: string; content: string; mode?: number }[],
  storage: FileStorage = disk,
): void {
  const prepared = files.map((file) => {
    return { ...file, temporary: `${file.path}.${randomUUID()}.temporary` }
  })
  for (const directory of new Set(prepared.map(({ path }) => dirname(path)))) {
    withPath(directory, () => makeDirectory(directory))
  }
  try {
    // What would be in the way of a rename is to fail before the first one is made.
    const before = prepared.map(({ path }) => withPath(path, () => modeOf(path)))
    for (const [index, { path, content, mode, temporary }] of prepared.entries()) {
      withPath(path, () => storage.write(temporary, content, mode ?? before[index]))
    }
    for (const { path, temporary } of prepared) {
      withPath(path, () => storage.rename(temporary, path))
    }
  } finally {
    for (const { temporary } of prepared) if (existsSync(temporary)) rmSync(temporary)
  }
}

/** Replaces a file that the operator keeps and names. If the path is a link, its target is replaced. */
export function replaceKeptFile(path: string, content: string): void {
  replaceFiles([{ path: existsSync(path) ? realpathSync(path) : path, content }])
}
