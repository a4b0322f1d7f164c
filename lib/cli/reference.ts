import { readFileSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { environmentLine } from '../doctor/environment-template.ts'
import { formatCommand } from '../reports/report-text.ts'
import { heading, styleOf } from '../reports/terminal-document.ts'
import { faults, variants } from '../test-bed/reference/index.ts'
import { didYouMean } from '../text/suggestions.ts'
import { type CliContext, logError } from './context.ts'
import { openEnvironmentOutput } from './files.ts'
import { faultOption, variantOption, wholeNumber } from './options.ts'
import { type ServerOptions, startReferenceServer } from './prepare-run.ts'
import { selectItems } from './select.ts'

interface ReferenceOptions extends ServerOptions {
  list?: string[] | true
  output?: string
  overwrite?: boolean
}

/** @param patterns names or globs of faults and variants; with none, all are listed */
async function list(patterns: readonly string[], context: CliContext): Promise<number> {
  const { bold, red, green } = styleOf(context).colors
  const all = [...faults, ...variants]
  const names = all.map(({ name }) => name)
  const describeMismatch = (pattern: string) =>
    `--list ${pattern} names no fault and no variant.${didYouMean(pattern, names)}`
  const chosen = selectItems(all, ({ name }) => name, patterns, describeMismatch)
  const sections: Record<string, string[]> = {
    'Faults, each with the requirements that it breaks': chosen.flatMap((one) =>
      'requirements' in one ? [`  ${red(one.name)}`, ...one.requirements].join('\n      ') : [],
    ),
    'Variants, which break none': chosen.flatMap((one) =>
      'requirements' in one ? [] : `  ${green(one.name)}`,
    ),
  }
  const lines = Object.entries(sections).flatMap(([title, rows]) =>
    rows.length === 0 ? [] : [...heading(title, rows.length, bold), ...rows],
  )
  context.output.write(`${lines.slice(1).join('\n')}\n`)
  return 0
}

async function serve(options: ReferenceOptions, context: CliContext): Promise<number> {
  const { path, write } = openEnvironmentOutput(options, context)
  const reference = await startReferenceServer(options, context.program)
  const stopped = context.interruption('Ending.')
  const lines = Object.entries(reference.environment).map((entry) => environmentLine(...entry))
  const text = `${lines.join('\n')}\n`
  const problem = write(text)
  if (problem !== undefined) {
    await reference.close()
    logError(`--output: ${problem}.`, context)
    return 3
  }
  const location = path === undefined ? 'on standard output' : `in ${options.output} until then`
  context.errors.write(
    `The reference server listens at ${reference.baseUrl} until Ctrl-C. Its environment is\n` +
      `${location}; from a file: ${formatCommand(`run --env-file ${options.output ?? 'FILE'}`, context.program)}\n`,
  )
  await stopped
  try {
    // Another process may have changed or replaced the file.
    if (path !== undefined && readFileSync(path, 'utf8') === text) rmSync(path)
  } catch {}
  await reference.close()
  return 0
}

export function action(options: ReferenceOptions, context: CliContext): Promise<number> {
  const { list: patterns } = options
  if (patterns === undefined) return serve(options, context)
  return list(patterns === true ? [] : patterns, context)
}

export const define = (command: Command) =>
  command
    .option('--port <number>', 'listen on this port instead of a free one', wholeNumber(0, 65_535))
    .option('--latency <ms>', 'delay each response by this time', wholeNumber(0, 3_600_000))
    .option(
      '--output <file>',
      'write the environment file to this path, readable only by its owner, while the server runs',
    )
    .option('--overwrite', 'replace that file if it exists')
    .option('--list [name...]', 'list faults and variants instead, or only these: names or globs')
    .addOption(faultOption)
    .addOption(variantOption)
