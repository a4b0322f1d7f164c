import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isJob } from '../environment/read-environment.ts'
import { maskCommands } from '../reports/annotations.ts'
import {
  makeDirectory,
  onlyNewFiles,
  ReportNotWrittenError,
  replaceFiles,
} from '../reports/write-files.ts'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { systemReason } from '../text/system-reason.ts'
import { type CliContext, UsageError } from './context.ts'

/** @throws UsageError if the file cannot be read */
export function readNamedFile(option: string, file: string, directory: string): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  try {
    return readRegularFile(resolve(directory, file))
  } catch (error) {
    throw new UsageError(`${option}: ${file} ${readingProblem(error)}. Nothing was sent.`)
  }
}

/**
 * Returns the path of a file that will be written later: of a link, its target, except for `replaced`, which replaces
 * the link. Later links are not followed. A replaced file needs a writable directory.
 *
 * @throws UsageError if it cannot be written, before any request is sent
 */
export function requireWritable(
  option: string,
  file: string,
  directory: string,
  change: 'replaced' | 'updated' | 'added to',
): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  const path = resolve(directory, file)
  const toError = (text: string) => new UsageError(`${option}: ${file} ${text}. Nothing was sent.`)
  let existing = path
  while (!existsSync(existing)) existing = dirname(existing)
  const exists = existing === path
  if (exists && !statSync(path).isFile()) throw toError('is not a regular file')
  let written = path
  try {
    if (exists && change !== 'replaced') written = realpathSync(path)
    const changed = change === 'added to' ? written : dirname(written)
    accessSync(exists ? changed : `${existing}/.`, constants.W_OK)
  } catch (error) {
    throw toError(`cannot be written to: ${systemReason(error)}`)
  }
  if (!exists && change !== 'replaced' && lstatSync(path, { throwIfNoEntry: false })) {
    throw toError('is a link to a file that does not exist')
  }
  return written
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

/** Runs `write` and returns the message of a file system error; undefined on success. */
export function writeProblem(write: () => void): string | undefined {
  try {
    write()
  } catch (error) {
    if (error instanceof ReportNotWrittenError) return error.message
    throw error
  }
}

/**
 * Returns the path, and a function that creates the file with mode 0600 and returns an error message or undefined.
 *
 * @throws UsageError if it exists and must not be replaced, or cannot be written
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
  const path = requireWritable(option, output, directory, 'replaced')
  const toError = (text: string) => new UsageError(`${option}: ${text} Nothing was sent.`)
  if (!existsSync(dirname(path))) throw toError(`the directory of ${output} does not exist.`)
  if (!overwrite && lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    const advice = option === '--output' ? '--overwrite replaces it' : 'name another file'
    throw toError(`${path} is there already; ${advice}.`)
  }
  let storage = overwrite ? undefined : onlyNewFiles
  const write = (content: string) => {
    const problem = writeProblem(() => replaceFiles([{ path, content, mode: 0o600 }], storage))
    // A file that this command wrote may be replaced.
    if (problem === undefined) storage = undefined
    return problem
  }
  return { path, write }
}

type Output = Pick<CliContext, 'output' | 'environment'>

const masksSecrets = ({ environment }: Pick<Output, 'environment'>) =>
  environment.GITHUB_ACTIONS === 'true'

/** @throws UsageError without --output in a CI job, unless its log, which others may read, masks secrets */
export function requireOutputInJob(output: string | undefined, context: Output): void {
  if (output !== undefined || !isJob(context.environment) || masksSecrets(context)) return
  throw new UsageError(
    'CI is set, and the log of a job would show passwords: name a file with --output. Nothing was sent.',
  )
}

/** Writes a text with secrets to standard output; GitHub Actions masks them in its log. */
export function printSecrets(text: string, secrets: readonly string[], context: Output): void {
  if (masksSecrets(context)) context.output.write(maskCommands(secrets))
  context.output.write(text)
}
