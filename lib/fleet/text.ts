import { printableLine, printableSentence } from '../reports/printable.ts'
import { hanging, heading, terminalStyle } from '../reports/terminal-style.ts'
import { type Fleet, fleetText } from './fleet.ts'

const shownFailing = 40

/** How the text is set, and what it ends with. */
interface MergedTextOptions {
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
  const { deployments, failing } = fleet
  const { file, status } = options
  const style = terminalStyle(options)
  const { bold, dim, green, red, yellow } = style.colors
  const paints = { 0: green, 1: red, 3: yellow }
  const rest = failing.length - shownFailing
  const rows = [
    ...deployments.flatMap(({ name, run }) => [
      ...hanging('', printableSentence(name), style, bold),
      ...hanging(
        '  ',
        printableSentence(run?.verdictText ?? 'no report'),
        style,
        paints[run?.status ?? 3],
      ),
    ]),
    ...(failing.length === 0 ? [] : heading('Failing', failing.length, bold)),
    ...failing.slice(0, shownFailing).flatMap(({ requirement, count }) => {
      const text = printableSentence(`${requirement}: on ${count} of ${deployments.length}`)
      return hanging('  ', text, style)
    }),
    ...(rest > 0 ? [dim(`  and ${rest} more, on the page`)] : []),
    '',
    ...(file === undefined ? [] : hanging('page: ', printableLine(file), style)),
    bold(paints[fleet.status](`${fleetText(fleet)} (exit status ${status})`)),
  ]
  return `${rows.join('\n')}\n`
}
