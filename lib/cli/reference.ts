import { readFileSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { didYouMean } from '../environment/nearest.ts'
import { environmentLine } from '../environment/read-environment.ts'
import { faults, variants } from '../reference/index.ts'
import { heading, terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, complain, terminalOptions } from './context.ts'
import { prepareOutputFile } from './files.ts'
import { type Finish, newCommand, wholeNumber, withEmbeddedOptions } from './options.ts'
import { type EmbeddedOptions, selectNamed, startEmbedded } from './prepare-run.ts'

const NOT_WRITTEN = 3
const LAST_PORT = 65_535
const AN_HOUR_MS = 3_600_000

interface ReferenceOptions extends EmbeddedOptions {
  /** Patterns, or `true` for all. */
  list?: string[] | true
  output?: string
  overwrite?: boolean
}

/**
 * The faults, each with the requirements that it breaks below it, and the variants: those that one of
 * the patterns, names or globs, matches, or all of them.
 *
 * @throws UsageError for a pattern that matches none
 */
async function list(patterns: readonly string[], context: CliContext): Promise<number> {
  const { bold, red, green } = terminalStyle(terminalOptions(context)).colors
  const all = [...faults, ...variants]
  const names = all.map(({ name }) => name)
  const refusal = (pattern: string) =>
    `--list ${pattern} names no fault and no variant.${didYouMean(pattern, names)} Without a name, ` +
    '--list lists all of them.'
  const chosen = new Set<object>(selectNamed(all, ({ name }) => name, patterns, refusal))
  const section = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [...heading(title, rows.length, bold), ...rows]
  const lines = [
    ...section(
      'Faults, each with the requirements that it breaks',
      faults
        .filter((fault) => chosen.has(fault))
        .map(({ name, requirements }) => [`  ${red(name)}`, ...requirements].join('\n      ')),
    ),
    ...section(
      'Variants, which break none',
      variants.filter((variant) => chosen.has(variant)).map(({ name }) => `  ${green(name)}`),
    ),
  ]
  context.output.write(`${lines.slice(1).join('\n')}\n`)
  return 0
}

async function serve(options: ReferenceOptions, context: CliContext): Promise<number> {
  const file = prepareOutputFile(context.directory, options)
  const reference = await startEmbedded(options)
  const stopped = context.interruption('Ending.', ['SIGINT', 'SIGTERM', 'SIGHUP'])
  const lines = Object.entries(reference.environment).map((entry) => environmentLine(...entry))
  const text = `${lines.join('\n')}\n`
  if (file === undefined) context.output.write(text)
  const problem = file?.write(text)
  if (problem !== undefined) {
    await reference.close()
    complain(`--output: ${problem}.`, context)
    return NOT_WRITTEN
  }
  const where =
    file === undefined
      ? 'With its environment,\nwhich went to standard output, in a file: npm start -- --env-file FILE\n'
      : `Its environment\nis in ${options.output} until then: npm start -- --env-file ${options.output}\n`
  context.errors.write(
    `The reference deployment listens at ${reference.baseUrl} until Ctrl-C. ${where}`,
  )
  await stopped
  try {
    // Somebody may have added to it, or another deployment may have replaced it.
    if (file !== undefined && readFileSync(file.path, 'utf8') === text) rmSync(file.path)
  } catch {}
  await reference.close()
  return 0
}

export function referenceCommand(finish: Finish, context: CliContext): Command {
  const command = newCommand(
    'reference',
    'serve the reference deployment and print an environment file for it',
    '0 it was served until it was stopped, 2 the command line is wrong, 3 the file could\n' +
      'not be written.',
  )
    .option('--port <number>', 'listen there instead of at a free port', wholeNumber(0, LAST_PORT))
    .option(
      '--latency <ms>',
      'hold back each response by so many milliseconds',
      wholeNumber(0, AN_HOUR_MS),
    )
    .option(
      '--output <file>',
      'write the environment file there, readable for its owner only, while the deployment is served',
    )
    .option('--overwrite', 'replace that file when it is there')
    .option('--list [name...]', 'list the faults and variants instead, or those: names or globs')
  return withEmbeddedOptions(command).action((options: ReferenceOptions) => {
    const { list: asked } = options
    return finish(
      asked === undefined ? serve(options, context) : list(asked === true ? [] : asked, context),
    )
  })
}
