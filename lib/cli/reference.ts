import { readFileSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { codeOf } from '../environment/problems.ts'
import { environmentLine } from '../environment/read-environment.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, UsageError } from './context.ts'
import { type OutputFile, prepareOutputFile } from './files.ts'
import { type Finish, faultOption, newCommand, variantOption, wholeNumber } from './options.ts'
import { terminalOptions } from './output.ts'
import { type EmbeddedOptions, startEmbedded } from './prepare-run.ts'

const NOT_WRITTEN = 3
const LAST_PORT = 65_535
const AN_HOUR_MS = 3_600_000

interface ReferenceOptions extends EmbeddedOptions {
  /** Patterns, or `true` for all. */
  list?: string[] | true
  output?: string
  overwrite?: boolean
}

async function list(patterns: readonly string[], context: CliContext): Promise<number> {
  const { referenceList } = await import('./reference-names.ts')
  context.output.write(referenceList(patterns, terminalStyle(terminalOptions(context))))
  return 0
}

/** Takes the file away, unless somebody has put something else there. */
function removeWritten({ path }: OutputFile, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) rmSync(path)
  } catch {
    // Then it is gone, or no longer ours.
  }
}

async function serve(options: ReferenceOptions, context: CliContext): Promise<number> {
  const { output, overwrite } = options
  if (overwrite && output === undefined) {
    throw new UsageError('--overwrite needs --output, which names the file.')
  }
  const file =
    output === undefined ? undefined : prepareOutputFile(context.directory, output, overwrite)
  const reference = await startEmbedded(options)
  const stopped = context.interruption('Ending.', ['SIGINT', 'SIGTERM', 'SIGHUP'])
  const lines = Object.entries(reference.environment).map((entry) => environmentLine(...entry))
  const text = `${lines.join('\n')}\n`
  try {
    if (file === undefined) context.output.write(text)
    else file.write(text)
  } catch (error) {
    await reference.close()
    context.errors.write(
      `plumbline: --output: ${file?.path} could not be written (${codeOf(error)}).\n`,
    )
    return NOT_WRITTEN
  }
  const where =
    file === undefined
      ? 'With its environment,\nwhich went to standard output, in a file: npm start -- --env-file FILE\n'
      : `Its environment\nis in ${output} until then: npm start -- --env-file ${output}\n`
  context.errors.write(
    `The reference deployment listens at ${reference.baseUrl} until Ctrl-C. ${where}`,
  )
  await stopped
  if (file !== undefined) removeWritten(file, text)
  await reference.close()
  return 0
}

export function referenceCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'reference',
    'serve the reference deployment and print an environment file for it',
    '0 it was served until it was stopped, 2 the command line is wrong, 3 the file could\n' +
      'not be written.',
  )
    .option('--port <number>', 'listen there instead of at a free port', wholeNumber(0, LAST_PORT))
    .option(
      '--latency <ms>',
      'hold back each response by so many milliseconds',
      wholeNumber(0, AN_HOUR_MS, ', which is an hour'),
    )
    .option(
      '--output <file>',
      'write the environment file there, readable for its owner only, while the deployment is served',
    )
    .option('--overwrite', 'replace that file when it is there')
    .option('--list [name...]', 'list the faults and variants instead, or those: names or globs')
    .addOption(faultOption())
    .addOption(variantOption())
    .action((options: ReferenceOptions) => {
      const { list: asked } = options
      return finish(
        asked === undefined ? serve(options, context) : list(asked === true ? [] : asked, context),
      )
    })
}
