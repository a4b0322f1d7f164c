import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isJob } from '../environment/environment.ts'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { systemReason } from '../text/system-reason.ts'
import { makeDirectory, ReportNotWrittenError, replaceFiles } from '../text/write-files.ts'
import { type CliContext, UsageError } from './context.ts'

/** `create`: there must be nothing. `replace`: a link is replaced too. `update`, `append`: a link is followed, once. */
type FilePurpose = 'read' | 'create' | 'replace' | 'update' | 'append'

/** Runs `write` and returns the message of a file system error; undefined on success. */
export function writeProblem(write: () => void): string | undefined {
  try {
    write()
  } catch (error) {
    if (error instanceof ReportNotWrittenError) return error.message
    throw error
  }
}

/** Opens a file that an option names. @throws UsageError if it cannot be used so, before any request is sent */
export function openFile(option: string, file: string, directory: string, purpose: FilePurpose) {
  if (file.trim() === '') throw new UsageError(`${option} names no file. Nothing was sent.`)
  const reject = (problem: string): never => {
    throw new UsageError(`${option}: ${file} ${problem}. Nothing was sent.`)
  }
  const named = resolve(directory, file)

  /** Returns the path that is written. A replaced file needs a writable directory. */
  function findWritten(): string {
    const followsLink = purpose === 'update' || purpose === 'append'
    let existing = named
    while (!existsSync(existing)) existing = dirname(existing)
    const exists = existing === named
    if (exists && !statSync(named).isFile()) reject('is not a regular file')
    let written = named
    let isNew = true
    try {
      isNew = lstatSync(named, { throwIfNoEntry: false }) === undefined
      if (exists && followsLink) written = realpathSync(named)
      const changed = purpose === 'append' ? written : dirname(written)
      accessSync(exists ? changed : `${existing}/.`, constants.W_OK)
    } catch (error) {
      reject(`cannot be written to: ${systemReason(error)}`)
    }
    if (followsLink && !exists && !isNew) reject('is a link to a file that does not exist')
    if (purpose !== 'create') return written
    const advice = option === '--output' ? '--overwrite replaces it' : 'name another file'
    if (!isNew) reject(`is there already: ${advice}`)
    if (existing !== dirname(named)) reject('is in a folder that does not exist')
    return written
  }

  const path = purpose === 'read' ? named : findWritten()
  const isNew = purpose === 'create'
  return {
    /** The target of an updated link. */
    path,

    /** @throws UsageError if it cannot be read */
    read(): string {
      try {
        return readRegularFile(path)
      } catch (error) {
        return reject(readingProblem(error))
      }
    },

    /** Replaces the file, atomically. Returns the message of a file system error, if any. */
    write(content: string, mode?: number): string | undefined {
      return writeProblem(() => replaceFiles([{ path, content, mode, isNew }]))
    },
  }
}

/** Default folders of the reports: of a target, and of the reference server, whose runs replace no report of a target. */
export const reportFolders = ['reports', 'reports/reference'] as const

export const reportsFolder = (isEmbedded: boolean) => reportFolders[isEmbedded ? 1 : 0]

/** Creates the directory of the reports before any request is sent. @throws UsageError */
export function prepareDirectory(directory: string): void {
  try {
    if (!existsSync(directory)) makeDirectory(directory)
    accessSync(`${directory}/.`, constants.W_OK)
  } catch (error) {
    // Another user could create a predictable name in a shared folder.
    const hint = 'Name another folder, such as --reports "$(mktemp -d)". Nothing was sent.'
    const problem = `${directory} cannot be written to: ${systemReason(error)}.`
    throw new UsageError(`--reports: ${problem} ${hint}`)
  }
}

/** Opens `--output`, readable only by its owner; without it, prints the text, except in a job. @throws UsageError */
export function openEnvironmentOutput(
  { output, overwrite }: { output?: string; overwrite?: boolean },
  context: Pick<CliContext, 'output' | 'environment' | 'directory'>,
) {
  if (output !== undefined) {
    const purpose = overwrite ? 'replace' : 'create'
    const { path, write } = openFile('--output', output, context.directory, purpose)
    return { path, write: (text: string) => write(text, 0o600) }
  }
  if (overwrite) throw new UsageError('--overwrite needs --output, which names the file.')
  if (isJob(context.environment)) {
    throw new UsageError(
      'CI is set, and the log of a job would show passwords: name a file with --output. Nothing was sent.',
    )
  }
  return { path: undefined, write: (text: string) => void context.output.write(text) }
}
