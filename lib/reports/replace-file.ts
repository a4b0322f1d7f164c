import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ReportNotWrittenError } from './write-reports.ts'

/** The file itself where the path is a link to it, so that the link stays one. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * Writes a file in one step: a reader sees the old text or the new one, never a part, and a full
 * disk leaves the old one. Its permissions stay, and directories that are missing are made.
 *
 * @throws ReportNotWrittenError when the file system refuses
 */
export function replaceFile(path: string, text: string): void {
  const real = realPath(path)
  const temporary = `${real}.${randomUUID()}.temporary`
  try {
    mkdirSync(dirname(real), { recursive: true })
    const before = statSync(real, { throwIfNoEntry: false })
    if (before?.isFile() === false && !before.isDirectory()) {
      throw new Error('it is no regular file')
    }
    const mode = before === undefined ? {} : { mode: before.mode & 0o777 }
    try {
      writeFileSync(temporary, text, { flag: 'wx', flush: true, ...mode })
      renameSync(temporary, real)
    } finally {
      rmSync(temporary, { force: true })
    }
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}
