import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import type { Past } from './changes.ts'
import { type FileStorage, replaceFiles } from './replace-files.ts'
import { reportFiles } from './report-files.ts'

/**
 * Writes the files of a run into the directory, which is created where it is missing: all of them,
 * or none.
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
  storage?: FileStorage,
): string[] {
  const files = reportFiles(report, past).map(({ name, content }) => {
    return { path: join(directory, name), content }
  })
  replaceFiles(files, storage)
  return files.map(({ path }) => path)
}
