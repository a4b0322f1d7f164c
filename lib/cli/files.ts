import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readingProblem, readRegularFile } from '../environment/bounded-file.ts'
import { systemReason } from '../environment/problems.ts'
import {
  makeDirectory,
  onlyNewFiles,
  ReportNotWrittenError,
  replaceFiles,
} from '../reports/replace-files.ts'
import { UsageError } from './context.ts'

/** @throws UsageError when the file cannot be read */
export function readNamedFile(option: string, file: string, directory: string): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  try {
    return readRegularFile(resolve(directory, file))
  } catch (error) {
    throw new UsageError(`${option}: ${file} ${readingProblem(error)}; nothing was sent.`)
  }
}

/**
 * The path of a file that is to be written later. To replace it takes the permission to write its
 * directory, and to add to it that to write the file.
 *
 * @throws UsageError when it is clear beforehand that it cannot be written; then nothing may be sent
 */
export function requireWritable(
  option: string,
  file: string,
  directory: string,
  change: 'replaced' | 'added to' = 'replaced',
): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  const path = resolve(directory, file)
  const refused = (why: string) => new UsageError(`${option}: ${file} ${why}; nothing was sent.`)
  let existing = path
  while (!existsSync(existing)) existing = dirname(existing)
  const isThere = existing === path
  if (isThere && !statSync(path).isFile()) throw refused('is no regular file')
  try {
    const written = change === 'added to' ? path : dirname(realpathSync(existing))
    accessSync(isThere ? written : `${existing}/.`, constants.W_OK)
  } catch (error) {
    throw refused(`cannot be written to: ${systemReason(error)}`)
  }
  return path
}

/** Makes the directory of the reports, before anything is sent. @throws UsageError */
export function prepareDirectory(directory: string): void {
  try {
    if (!existsSync(directory)) makeDirectory(directory)
    accessSync(`${directory}/.`, constants.W_OK)
  } catch (error) {
    const problem = `${directory} cannot be written to: ${systemReason(error)}; nothing was sent.`
    const instead = `--reports ${join(tmpdir(), 'plumbline-reports')}`
    throw new UsageError(`--reports: ${problem} Name another folder, such as ${instead}.`)
  }
}

/** What the file system has against it. */
export function writeProblem(write: () => void): string | undefined {
  try {
    write()
  } catch (error) {
    if (error instanceof ReportNotWrittenError) return error.message
    throw error
  }
}

/**
 * The path of --output, or of what else names the file, and what writes it, which holds secrets, for its owner alone and
 * returns what the file system has against it, also when the file has come about in the meantime.
 *
 * @throws UsageError when it is there and is not to be replaced, or cannot be written
 */
export function prepareOutputFile(
  directory: string,
  { output, overwrite = false }: { output?: string | undefined; overwrite?: boolean },
  option = '--output',
) {
  if (output === undefined) {
    if (overwrite) throw new UsageError('--overwrite needs --output, which names the file.')
    return undefined
  }
  const path = requireWritable(option, output, directory)
  const refused = (why: string) => new UsageError(`${option}: ${why} Nothing was sent.`)
  if (!existsSync(dirname(path))) throw refused(`the directory of ${output} does not exist.`)
  if (!overwrite && existsSync(path)) {
    const advice = option === '--output' ? '--overwrite replaces it' : 'name another file'
    throw refused(`${path} is there already; ${advice}.`)
  }
  const storage = overwrite ? undefined : onlyNewFiles
  const write = (content: string) =>
    writeProblem(() => replaceFiles([{ path, content, mode: 0o600 }], storage))
  return { path, write }
}
