import { readFileSync, rmSync } from 'node:fs'
import { Command } from 'commander'
import { terminalStyle } from '../reports/terminal-style.ts'
import { environmentLine } from '../target/environment-line.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { envFileOption, faultOption, variantOption, wholeNumber } from './options.ts'
import { type OutputFile, prepareOutputFile } from './output-file.ts'
import { terminalOptions } from './terminal-options.ts'
import { UsageError } from './usage-error.ts'

const NOT_WRITTEN = 3
const LAST_PORT = 65_535
const AN_HOUR_MS = 3_600_000

interface ReferenceOptions extends EmbeddedOptions {
  /** Patterns, or `true` for all. */
  list?: string[] | true
  output?: string
  overwrite?: boolean
}

async function list(patterns: readonly string[]): Promise<number> {
  const { referenceList } = await import('./reference-list.ts')
  const { stdout: output, env: environment } = process
  output.write(referenceList(patterns, terminalStyle(terminalOptions({ output, environment }))))
  return 0
}

/** Resolves when the process is asked to stop, or its terminal goes. */
function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    // Ctrl-C may come twice, from the terminal and from npm, and the second must not cut the end short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve())
  })
}

/** Takes the file away, unless somebody has put something else there. */
function removeWritten({ path }: OutputFile, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) rmSync(path)
  } catch {
    // Then it is gone, or no longer ours.
  }
}

async function serve(options: ReferenceOptions): Promise<number> {
  const { output, overwrite } = options
  if (overwrite && output === undefined) {
    throw new UsageError('--overwrite needs --output, which names the file.')
  }
  const file =
    output === undefined ? undefined : prepareOutputFile(process.cwd(), output, overwrite)
  const reference = await startEmbedded(options)
  const stopped = askedToStop()
  const lines = Object.entries(reference.environment).map((entry) => environmentLine(...entry))
  const text = `${lines.join('\n')}\n`
  try {
    if (file === undefined) process.stdout.write(text)
    else file.write(text)
  } catch (error) {
    await reference.close()
    const { code } = error as NodeJS.ErrnoException
    process.stderr.write(`plumbline: --output: ${file?.path} could not be written (${code}).\n`)
    return NOT_WRITTEN
  }
  const where =
    file === undefined
      ? 'With its environment,\nwhich went to standard output, in a file: npm start -- --env-file FILE\n'
      : `Its environment\nis in ${output} until then: npm start -- --env-file ${output}\n`
  process.stderr.write(
    `The reference deployment listens at ${reference.baseUrl} until Ctrl-C. ${where}`,
  )
  await stopped
  if (file !== undefined) removeWritten(file, text)
  await reference.close()
  return 0
}

export function referenceCommand(finish: (status: Promise<number>) => Promise<void>): Command {
  return new Command('reference')
    .description('serve the reference deployment and print an environment file for it')
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
    .addOption(envFileOption())
    .addHelpText(
      'after',
      '\nExit status: 0 it was served until it was stopped, 2 the command line is wrong, 3 the file could\n' +
        'not be written.',
    )
    .action((options: ReferenceOptions) => {
      const { list: asked } = options
      return finish(asked === undefined ? serve(options) : list(asked === true ? [] : asked))
    })
}
