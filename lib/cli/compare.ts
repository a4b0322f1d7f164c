import type { Command } from 'commander'
import { compareReports, comparisonJson, comparisonStatus } from '../compare/compare.ts'
import { readReport } from '../compare/read-report.ts'
import { comparisonMarkdown, comparisonText } from '../compare/text.ts'
import { type CliContext, terminalOptions, writeOutput } from './context.ts'
import { type Finish, formatOption, newCommand } from './options.ts'

export interface CompareOptions {
  format: 'text' | 'markdown' | 'json'
}

/** Prints what is different in the later of two reports. Needs no configuration and sends nothing. */
export async function compare(
  [before, after]: readonly [before: string, after: string],
  { format }: CompareOptions,
  context: CliContext,
): Promise<number> {
  const read = (file: string) => ({ ...readReport(file, context.directory), path: file })
  const comparison = compareReports(read(before), read(after))
  const text = {
    text: () => comparisonText(comparison, terminalOptions(context)),
    markdown: () => comparisonMarkdown(comparison),
    json: () => comparisonJson(comparison),
  }[format]()
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
      formatOption('for people, for a comment, or for programs', ['text', 'markdown', 'json']),
    )
    .action((before: string, after: string, options: CompareOptions) =>
      finish(compare([before, after], options, context)),
    )
}
