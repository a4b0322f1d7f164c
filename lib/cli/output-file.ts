import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

const OWNER_ONLY = 0o600

/** A file with secrets that a command writes when it is done. */
export interface OutputFile {
  readonly path: string
  /**
   * Makes it readable and writable for its owner only.
   *
   * @throws an error of the file system, also when the file has come about in the meantime
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
    const { code } = error as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT' ? 'does not exist: make it first' : `cannot be written to (${code})`
    throw new UsageError(`--output: the folder ${dirname(path)} ${reason}; nothing was sent.`)
  }
  return {
    path,
    write(text) {
      // A file that is replaced would keep its mode, and half of a file would be worse than none.
      const temporary = `${path}.${process.pid}.tmp`
      try {
        writeFileSync(temporary, text, { mode: OWNER_ONLY, flag: 'wx' })
        // Unlike a renamed file, a link never takes the place of another file.
        if (overwrite) renameSync(temporary, path)
        else linkSync(temporary, path)
      } finally {
        rmSync(temporary, { force: true })
      }
    },
  }
}
