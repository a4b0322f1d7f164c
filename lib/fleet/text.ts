import { printableLine, printableSentence } from '../reports/printable.ts'
import { hanging, heading, terminalStyle } from '../reports/terminal-style.ts'
import { type Fleet, fleetText } from './fleet.ts'

const shownFailing = 40

/** How the text is set, and what it ends with. */
export interface MergedTextOptions {
  color: boolean
  /** Of the terminal, in characters. */
  width: number
  /** Path of the page; absent where it could not be written. */
  file?: string
  /** Exit status. */
  status: number
}

/**
 * The fleet for a terminal, ending with a line break: each deployment, what fails anywhere, where the
 * page is, and the outcome in one row.
 */
export function mergedText(fleet: Fleet, options: MergedTextOptions): string {
  const { file, status } = options
  const style = terminalStyle(options)
  const { colors } = style
  const paints = { 0: colors.green, 1: colors.red, 3: colors.yellow }
  const total = fleet.deployments.length
  const rest = fleet.failing.length - shownFailing
  const rows = [
    ...fleet.deployments.flatMap(({ name, run }) => [
      ...hanging('', printableSentence(name), style, colors.bold),
      ...hanging(
        '  ',
        printableSentence(run?.verdictText ?? 'no report'),
        style,
        paints[run?.status ?? 3],
      ),
    ]),
    ...(fleet.failing.length === 0 ? [] : heading('Failing', fleet.failing.length, colors.bold)),
    ...fleet.failing
      .slice(0, shownFailing)
      .flatMap(({ requirement, count }) =>
        hanging('  ', printableSentence(`${requirement}: on ${count} of ${total}`), style),
      ),
    ...(rest > 0 ? [colors.dim(`  and ${rest} more, on the page`)] : []),
    '',
    ...(file === undefined ? [] : hanging('page: ', printableLine(file), style)),
    colors.bold(paints[fleet.status](`${fleetText(fleet)} (exit status ${status})`)),
  ]
  return `${rows.join('\n')}\n`
}
