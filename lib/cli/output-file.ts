import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { onlyNewFiles, replaceFiles } from '../reports/replace-files.ts'
import { systemReason } from '../target/system-reason.ts'
import { UsageError } from './usage-error.ts'

const OWNER_ONLY = 0o600

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
  if (name.trim() === '') throw new UsageError('--output names no file; nothing was sent.')
  const path = resolve(directory, name)
  const there = existsSync(path)
  if (there && !statSync(path).isFile()) {
    throw new UsageError(`--output: ${path} is no file; nothing was sent.`)
  }
  if (there && !overwrite) {
    throw new UsageError(
      `--output: ${path} is there already; --overwrite replaces it. Nothing was sent.`,
    )
  }
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `--output: the folder ${dirname(path)} cannot be written to: ${systemReason(error)}; ` +
        'nothing was sent.',
    )
  }
  return {
    path,
    write(text) {
      replaceFiles(
        [{ path, content: text, mode: OWNER_ONLY }],
        overwrite ? undefined : onlyNewFiles,
      )
    },
  }
}
