import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { readRegularFile } from './read-file.ts'
import { systemReason } from './system-reason.ts'

export class ReportNotWrittenError extends Error {
  override readonly name = 'ReportNotWrittenError'

  constructor(path: string, cause: unknown) {
    super(`Cannot write ${path}: ${systemReason(cause)}`, { cause })
  }
}

/** Writes a new file and flushes it to the disk. */
function writeNew(path: string, content: string, mode?: number): void {
  writeFileSync(path, content, { flag: 'wx', flush: true, ...(mode !== undefined && { mode }) })
}

function withPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}

/** Creates a directory and its missing parents. Not with `recursive`, which never returns for paths below /proc. */
export function makeDirectory(directory: string): void {
  const parent = dirname(directory)
  if (!existsSync(parent)) makeDirectory(parent)
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another run may have created it in the meantime.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

interface NewFile {
  path: string
  content: string
  mode?: number | undefined
  /** True if the path must not exist: linking fails if it does. */
  isNew?: boolean
  /** Returns true if a file with this text may be replaced; default: any file. */
  mayReplace?: (text: string) => boolean
}

/** Removes a file, if it is one. @throws ReportNotWrittenError */
export function removeFile(path: string): void {
  withPath(path, () => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path)
  })
}

/** Returns the mode of the file to replace; undefined for a link. @throws Error if it must not be replaced */
function modeOf({ path, mayReplace }: NewFile): number | undefined {
  const before = lstatSync(path, { throwIfNoEntry: false })
  if (before === undefined || before.isSymbolicLink()) return undefined
  if (!before.isFile()) throw new Error('it is not a regular file')
  if (mayReplace?.(readRegularFile(path)) === false) throw new Error('it has other text')
  return before.mode & 0o777
}

/** Writes files together: a full disk leaves the old files unchanged. Replaces symbolic links of others. @throws ReportNotWrittenError */
export function replaceFiles(files: readonly NewFile[], write = writeNew): void {
  const prepared = files.map((file) => {
    return { ...file, temporary: `${file.path}.${randomUUID()}.temporary` }
  })
  for (const directory of new Set(prepared.map(({ path }) => dirname(path)))) {
    withPath(directory, () => makeDirectory(directory))
  }
  try {
    // Obstacles to a rename must fail before the first one.
    const before = prepared.map((file) => withPath(file.path, () => modeOf(file)))
    for (const [index, { path, content, mode, temporary }] of prepared.entries()) {
      withPath(path, () => write(temporary, content, mode ?? before[index]))
    }
    for (const { path, temporary, isNew } of prepared) {
      withPath(path, () => (isNew ? linkSync : renameSync)(temporary, path))
    }
  } finally {
    for (const { temporary } of prepared) if (existsSync(temporary)) rmSync(temporary)
  }
}
