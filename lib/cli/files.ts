import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readingProblem, readRegularFile } from '../environment/bounded-file.ts'
import { systemReason } from '../environment/problems.ts'
import { printableSentence } from '../reports/printable.ts'
import { makeDirectory, onlyNewFiles, replaceFiles } from '../reports/replace-files.ts'
import { UsageError } from './context.ts'

const OWNER_ONLY = 0o600

/**
 * The text of a file that an option names.
 *
 * @throws UsageError when it cannot be read
 */
export function readNamedFile(option: string, file: string, directory: string): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  try {
    return readRegularFile(resolve(directory, file))
  } catch (error) {
    const name = printableSentence(file)
    throw new UsageError(`${option}: ${name} ${readingProblem(error)}; nothing was sent.`)
  }
}

/**
 * The path of a file that an option names and that is to be written when something was done. Nothing
 * is sent when it is clear beforehand that it cannot be. To replace a file takes the permission to
 * write its directory, and to add to one that to write the file.
 *
 * @throws UsageError
 */
export function requireWritable(
  option: string,
  file: string,
  directory: string,
  change: 'replaced' | 'added to' = 'replaced',
): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  const path = resolve(directory, file)
  const refused = (why: string) =>
    new UsageError(`${option}: ${printableSentence(file)} ${why}; nothing was sent.`)
  let existing = path
  while (!existsSync(existing)) existing = dirname(existing)
  const stat = statSync(existing)
  if (existing === path && !stat.isFile()) throw refused('is no regular file')
  if (existing !== path && !stat.isDirectory()) throw refused(`is below the file ${existing}`)
  try {
    const isReplaced = existing === path && change === 'replaced'
    accessSync(isReplaced ? dirname(realpathSync(path)) : existing, constants.W_OK)
  } catch (error) {
    throw refused(`cannot be written to: ${systemReason(error)}`)
  }
  return path
}

/**
 * The same for a file whose directory is not made: one that does not exist is taken for a slip.
 *
 * @throws UsageError
 */
export function requireWritableInPlace(option: string, file: string, directory: string): string {
  const path = requireWritable(option, file, directory)
  if (existsSync(dirname(path))) return path
  throw new UsageError(
    `${option}: the directory of ${printableSentence(file)} does not exist: correct the path, or ` +
      'make it; nothing was sent.',
  )
}

/**
 * Makes the directory of the reports. Nothing is sent when it is clear beforehand that nothing could
 * be noted or reported.
 *
 * @throws UsageError
 */
export function prepareDirectory(directory: string): void {
  try {
    if (!existsSync(directory)) makeDirectory(directory)
    accessSync(`${directory}/.`, constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `--reports: ${directory} cannot be written to: ${systemReason(error)}; nothing was sent.`,
    )
  }
}

/** A file with secrets that a command writes when it is done. */
export interface OutputFile {
  readonly path: string
  /**
   * Makes it readable and writable for its owner only.
   *
   * @throws ReportNotWrittenError, also when the file has come about in the meantime
   */
  write(text: string): void
}

/**
 * Finds out beforehand whether a file could be written, so that nothing is made in vain.
 *
 * @throws UsageError when it is there and is not to be replaced, or cannot be written
 */
export function prepareOutputFile(directory: string, name: string, overwrite = false): OutputFile {
  const path = requireWritableInPlace('--output', name, directory)
  if (!overwrite && existsSync(path)) {
    throw new UsageError(
      `--output: ${path} is there already; --overwrite replaces it. Nothing was sent.`,
    )
  }
  return {
    path,
    write(text) {
      const storage = overwrite ? undefined : onlyNewFiles
      replaceFiles([{ path, content: text, mode: OWNER_ONLY }], storage)
    },
  }
}
