import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemReason } from '../environment/errors.ts'
import { readingProblem, readRegularFile } from '../environment/read-file.ts'
import { maskCommands } from '../reports/annotations.ts'
import {
  makeDirectory,
  onlyNewFiles,
  ReportNotWrittenError,
  replaceFiles,
} from '../reports/write-files.ts'
import { type CliContext, UsageError } from './context.ts'

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
 * directory, and to add to it that to write the file. If it is a link, `replaced` is about the link,
 * and `updated` about its target, which is replaced.
 *
 * @throws UsageError when it is clear beforehand that it cannot be written; then nothing may be sent
 */
export function requireWritable(
  option: string,
  file: string,
  directory: string,
  change: 'replaced' | 'updated' | 'added to',
): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  const path = resolve(directory, file)
  const refused = (why: string) => new UsageError(`${option}: ${file} ${why}; nothing was sent.`)
  let existing = path
  while (!existsSync(existing)) existing = dirname(existing)
  const isThere = existing === path
  if (isThere && !statSync(path).isFile()) throw refused('is no regular file')
  try {
    const replaced = () => dirname(change === 'updated' ? realpathSync(path) : path)
    const written = !isThere ? `${existing}/.` : change === 'added to' ? path : replaced()
    accessSync(written, constants.W_OK)
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
    // A name that is known in a folder for all users could be taken by one of them.
    const instead = '--reports "$(mktemp -d)"'
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
  const path = requireWritable(option, output, directory, 'replaced')
  const refused = (why: string) => new UsageError(`${option}: ${why} Nothing was sent.`)
  if (!existsSync(dirname(path))) throw refused(`the directory of ${output} does not exist.`)
  if (!overwrite && lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    const advice = option === '--output' ? '--overwrite replaces it' : 'name another file'
    throw refused(`${path} is there already; ${advice}.`)
  }
  let storage = overwrite ? undefined : onlyNewFiles
  const write = (content: string) => {
    const problem = writeProblem(() => replaceFiles([{ path, content, mode: 0o600 }], storage))
    // What was written may be written again.
    if (problem === undefined) storage = undefined
    return problem
  }
  return { path, write }
}

type Output = Pick<CliContext, 'output' | 'environment'>

const masksSecrets = ({ environment }: Pick<Output, 'environment'>) =>
  environment.GITHUB_ACTIONS === 'true'

/**
 * Keeps secrets out of the log of a CI job, which others may read.
 *
 * @throws UsageError without --output, in a job whose log cannot mask them
 */
export function requireOutputInJob(output: string | undefined, context: Output): void {
  const isJob = !/^(?:|0|false)$/i.test(context.environment.CI?.trim() ?? '')
  if (output !== undefined || !isJob || masksSecrets(context)) return
  throw new UsageError(
    'CI is set, and the log of a job would show passwords: name a file with --output. Nothing was sent.',
  )
}

/** Writes a text with secrets to standard output, which a job on GitHub Actions masks in its log. */
export function printSecrets(text: string, secrets: readonly string[], context: Output): void {
  if (masksSecrets(context)) context.output.write(maskCommands(secrets))
  context.output.write(text)
}
