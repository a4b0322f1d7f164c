import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type CliContext, UsageError } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { terminalOptions, writeOutput } from './output.ts'

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
  context: CliContext,
): Promise<number> {
  const { comparisonJson, compareReports, comparisonStatus } = await import('../compare/compare.ts')
  const { readReport, UnreadableReportError } = await import('../compare/read-report.ts')
  const read = (file: string, which: string) => {
    if (file.trim() === '') throw new UsageError(`compare: ${which} names no file.`)
    try {
      return { ...readReport(resolve(context.directory, file)), path: file }
    } catch (error) {
      if (error instanceof UnreadableReportError) throw new UsageError(`compare: ${error.message}`)
      throw error
    }
  }
  const [before, after] = files
  const comparison = compareReports(read(before, 'BEFORE'), read(after, 'AFTER'))
  const writers = {
    text: async () =>
      (await import('../compare/text.ts')).comparisonText(comparison, terminalOptions(context)),
    markdown: async () => (await import('../compare/markdown.ts')).comparisonMarkdown(comparison),
    json: async () => comparisonJson(comparison),
  }
  const text = await writers[format]()
  writeOutput(text, context)
  return comparisonStatus(comparison)
}

export function compareCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'compare',
    'tell what two runs have different, such as one before and one after an upgrade',
    '0 nothing got worse, 1 a requirement is newly failing or newly without a\n' +
      'verdict, 2 a file is no report, 3 nothing was judged in both reports, or something that\n' +
      'was judged before was not looked at after: its service was not probed, it was not\n' +
      'selected, or it is not in the report. 1 wins over 3.',
  )
    .argument('<before>', 'report.json of the earlier run, or the folder that it is in')
    .argument('<after>', 'that of the later run')
    .addOption(
      new Option('--format <format>', 'for people, for a comment, or for programs')
        .choices(formats)
        .default('text'),
    )
    .action((before: string, after: string, options: CompareOptions) =>
      finish(compare([before, after], options, context)),
    )
}
