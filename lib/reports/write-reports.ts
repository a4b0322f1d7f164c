import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import type { Past } from './past-runs.ts'
import { reportFiles } from './report-files.ts'

const explanations: Record<string, string> = {
  EACCES: 'there is no permission to write there',
  EPERM: 'there is no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'files may not be that large here',
  ENOTDIR: 'part of the path is a file, not a directory',
  EEXIST: 'part of the path is a file, not a directory',
  EISDIR: 'a directory of that name is in the way',
  ENAMETOOLONG: 'the path is too long',
}

function errorCode(cause: unknown): string | undefined {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** A report file, or the directory for it, could not be written. */
export class ReportNotWrittenError extends Error {
  override readonly name = 'ReportNotWrittenError'
  /** The file or directory, as the caller named it. */
  readonly path: string
  /** The system's error code, such as `EACCES`, where there is one. */
  readonly code: string | undefined

  constructor(path: string, cause: unknown) {
    const code = errorCode(cause)
    const explanation = explanations[code ?? '']
    const problem = cause instanceof Error ? cause.message : String(cause)
    super(`Cannot write ${path}: ${explanation ? `${explanation} (${code})` : problem}`, { cause })
    this.path = path
    this.code = code
  }
}

/** What is asked of the file system. */
export interface ReportStorage {
  /** Writes a new file; back only when it has reached the disk. */
  write(path: string, content: string): void
  rename(from: string, to: string): void
}

const disk: ReportStorage = {
  write: (path, content) => writeFileSync(path, content, { flag: 'wx', flush: true }),
  rename: renameSync,
}

interface NewFile {
  path: string
  temporary: string
  content: string
}

function asReportNotWritten<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}

/** What would be in the way of a rename, which is to fail before the first one is made. */
function assureReplaceable({ path }: NewFile): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const cause = new Error(`EISDIR: ${path} is a directory`)
  throw new ReportNotWrittenError(path, Object.assign(cause, { code: 'EISDIR' }))
}

/**
 * Writes the files of a run into the directory, which is created where it is missing. They belong
 * together: all are on the disk before the first one takes its place, so that a full disk leaves the
 * files of the run before as they were. A reader sees a whole file, old or new, never a part.
 *
 * @param past what is known of the time before, to tell what is new
 * @returns the paths of the files written
 * @throws ReportNotWrittenError when the file system refuses
 * @throws Error when the report does not fit its schema; nothing is written then
 */
export function writeReports(
  report: RunReport,
  directory: string,
  past: Past = {},
  storage: ReportStorage = disk,
): string[] {
  const files = reportFiles(report, past).map(({ name, content }): NewFile => {
    const path = join(directory, name)
    return { path, temporary: `${path}.${randomUUID()}.temporary`, content }
  })
  asReportNotWritten(directory, () => mkdirSync(directory, { recursive: true }))
  try {
    files.forEach(assureReplaceable)
    for (const { path, temporary, content } of files) {
      asReportNotWritten(path, () => storage.write(temporary, content))
    }
    for (const { path, temporary } of files) {
      asReportNotWritten(path, () => storage.rename(temporary, path))
    }
  } finally {
    for (const { temporary } of files) rmSync(temporary, { force: true })
  }
  return files.map(({ path }) => path)
}
