import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { reportFiles } from './report-files.ts'

const explanations: Record<string, string> = {
  EACCES: 'there is no permission to write there',
  EPERM: 'there is no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
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

function writeInOneStep(path: string, content: string): void {
  const temporary = `${path}.${randomUUID()}.temporary`
  try {
    // Flushed before the rename: after a crash the name holds the old content or the new, no stump.
    writeFileSync(temporary, content, { encoding: 'utf8', flag: 'wx', flush: true })
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw new ReportNotWrittenError(path, cause)
  }
}

/**
 * Writes the files of a run into the directory, which is created where it is missing. A reader sees
 * the previous file or the whole new one, never a part.
 *
 * @param previous the report of the run before, if there is one, to tell what is new
 * @returns the paths of the files written
 * @throws ReportNotWrittenError when the file system refuses
 * @throws Error when the report does not fit its schema; nothing is written then
 */
export function writeReports(report: RunReport, directory: string, previous?: RunReport): string[] {
  const files = reportFiles(report, previous).map(({ name, content }) => ({
    path: join(directory, name),
    content,
  }))
  try {
    mkdirSync(directory, { recursive: true })
  } catch (cause) {
    throw new ReportNotWrittenError(directory, cause)
  }
  for (const { path, content } of files) writeInOneStep(path, content)
  return files.map(({ path }) => path)
}
