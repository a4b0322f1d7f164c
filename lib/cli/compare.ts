import type { Command } from 'commander'
import { styleOf } from '../reports/terminal-document.ts'
import { compareReports, comparisonStatus } from '../runs/compare/compare.ts'
import { comparisonMarkdown, comparisonText } from '../runs/compare/comparison-text.ts'
import { readReport } from '../runs/compare/read-report.ts'
import { printableJson } from '../text/printable.ts'
import { type CliContext, writeOutput } from './context.ts'
import { formatOption } from './options.ts'

export interface CompareOptions {
  format: 'text' | 'markdown' | 'json'
}

/** Prints the differences between two reports. Needs no configuration and sends nothing. */
export async function action(
  before: string,
  after: string,
  { format }: CompareOptions,
  context: CliContext,
): Promise<number> {
  const read = (file: string) => ({ path: file, report: readReport(file, context.directory) })
  const comparison = compareReports(read(before), read(after))
  const text = {
    text: () => comparisonText(comparison, styleOf(context)),
    markdown: () => comparisonMarkdown(comparison),
    json: () => `${printableJson(comparison)}\n`,
  }[format]()
  writeOutput(text, context)
  return comparisonStatus(comparison)
}

export const define = (command: Command) =>
  command
    .argument('<before>', 'report.json of the earlier run, or its folder')
    .argument('<after>', 'the same of the later run')
    .addOption(
      formatOption('for people, for a comment, or for programs', ['text', 'markdown', 'json']),
    )
