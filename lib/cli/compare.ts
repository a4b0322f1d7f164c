import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { withoutWorkflowCommands } from '../reports/annotations.ts'
import { envFileOption } from './options.ts'
import { processSurroundings, type Surroundings } from './surroundings.ts'
import { terminalOptions } from './terminal-options.ts'
import { UsageError } from './usage-error.ts'

const formats = ['text', 'markdown', 'json'] as const

export interface CompareOptions {
  format: (typeof formats)[number]
}

/**
 * Prints what is different in the later of two reports. Needs no configuration and sends nothing.
 *
 * @returns the exit status
 * @throws UsageError for a file that is no report
 */
export async function compare(
  files: readonly [before: string, after: string],
  { format }: CompareOptions,
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const { comparisonJson, compareReports, comparisonStatus } = await import('../compare/compare.ts')
  const { readReport, UnreadableReportError } = await import('../compare/read-report.ts')
  const read = (file: string, which: string) => {
    if (file.trim() === '') throw new UsageError(`compare: ${which} names no file.`)
    try {
      return { ...readReport(resolve(surroundings.directory, file)), path: file }
    } catch (error) {
      if (error instanceof UnreadableReportError) throw new UsageError(`compare: ${error.message}`)
      throw error
    }
  }
  const [before, after] = files
  const comparison = compareReports(read(before, 'BEFORE'), read(after, 'AFTER'))
  const writers = {
    text: async () =>
      (await import('../compare/text.ts')).comparisonText(
        comparison,
        terminalOptions(surroundings),
      ),
    markdown: async () => (await import('../compare/markdown.ts')).comparisonMarkdown(comparison),
    json: async () => comparisonJson(comparison),
  }
  const { output, environment } = surroundings
  const text = await writers[format]()
  // On GitHub Actions the lines of the output can be commands.
  output.write(environment.GITHUB_ACTIONS === 'true' ? withoutWorkflowCommands(text) : text)
  return comparisonStatus(comparison)
}

export function compareCommand(
  finish: (status: Promise<number>) => Promise<void>,
  surroundings?: Surroundings,
): Command {
  return new Command('compare')
    .description('tell what two runs have different, such as one before and one after an upgrade')
    .argument('<before>', 'report.json of the earlier run, or the folder that it is in')
    .argument('<after>', 'that of the later run')
    .addOption(
      new Option('--format <format>', 'for people, for a comment, or for programs')
        .choices(formats)
        .default('text'),
    )
    .addOption(envFileOption())
    .addHelpText(
      'after',
      '\nExit status: 0 nothing got worse, 1 a requirement is newly failing or newly without a\n' +
        'verdict, 2 a file is no report, 3 nothing was judged in both reports, or something that\n' +
        'was judged before was not looked at after: its service was not probed, it was not\n' +
        'selected, or it is not in the report. 1 wins over 3.',
    )
    .action((before: string, after: string, options: CompareOptions) =>
      finish(compare([before, after], options, surroundings)),
    )
}
