import { printableLine, printableSentence, shortened } from '../reports/printable.ts'
import {
  field,
  hanging,
  heading,
  type TerminalStyle,
  terminalStyle,
} from '../reports/terminal-style.ts'
import type { Comparison } from './compare.ts'
import {
  briefSection,
  deviationSection,
  failureSection,
  idsText,
  reasonSection,
} from './text-results.ts'
import type { ChangedTiming } from './timings.ts'
import type { ChangedStatement } from './verdicts.ts'
import {
  comparedRunText,
  deviatingOtherwise,
  failingAlike,
  groupedObservations,
  outcomeText,
  timingText,
  withReasonNotLookedAt,
} from './words.ts'

const margin = 5
const shownGroups = 40
const shownDifferences = 12
const longestText = 240

function rest(count: number, style: TerminalStyle): string[] {
  if (count <= 0) return []
  return [style.colors.dim(`  and ${count} more, with --format json`)]
}

function header({ before, after, conditions }: Comparison, style: TerminalStyle): string[] {
  const runs = [
    ['before', before],
    ['after', after],
  ] as const
  const different = conditions.flatMap(({ text }) => hanging('  ', printableSentence(text), style))
  return [
    ...runs.flatMap(([name, run]) => [
      ...hanging(`${name.padEnd(7)} `, printableLine(run.file), style, style.colors.bold),
      ...hanging(' '.repeat(8), printableSentence(comparedRunText(run)), style),
    ]),
    ...(conditions.length === 0
      ? []
      : [
          ...heading('The runs differ in more than the server', conditions.length, (text) =>
            style.colors.bold(style.colors.yellow(text)),
          ),
          ...different,
        ]),
  ]
}

function timingSection(
  title: string,
  timings: readonly ChangedTiming[],
  style: TerminalStyle,
): string[] {
  if (timings.length === 0) return []
  return [
    ...heading(title, timings.length, style.colors.bold),
    ...timings
      .slice(0, shownGroups)
      .flatMap((timing) => [
        ...hanging('  ', printableSentence(`${timing.service} ${timing.endpoint}`), style),
        ...hanging(' '.repeat(margin), timingText(timing), style, style.colors.dim),
      ]),
    ...rest(timings.length - shownGroups, style),
  ]
}

function observationRows({ observations }: Comparison, style: TerminalStyle): string[] {
  const { changed, appeared, disappeared } = observations
  const groups = groupedObservations(changed)
  const only = (title: string, ids: readonly string[]) =>
    ids.length === 0
      ? []
      : [...heading(title, ids.length, style.colors.bold), ...hanging('  ', idsText(ids), style)]
  return [
    ...only(
      'Observed before only',
      disappeared.map(({ id }) => id),
    ),
    ...only(
      'Observed after only',
      appeared.map(({ id }) => id),
    ),
    ...(changed.length === 0
      ? []
      : heading('Observations that changed', changed.length, style.colors.bold)),
    ...groups
      .slice(0, shownGroups)
      .flatMap(({ ids, differences }) => [
        ...hanging('  ', idsText(ids), style),
        ...differences
          .slice(0, shownDifferences)
          .flatMap((text) =>
            hanging(
              ' '.repeat(margin),
              shortened(printableSentence(text), longestText),
              style,
              style.colors.cyan,
            ),
          ),
        ...(differences.length > shownDifferences
          ? [
              style.colors.dim(
                `${' '.repeat(margin)}and ${differences.length - shownDifferences} more differences`,
              ),
            ]
          : []),
      ]),
    ...rest(groups.length - shownGroups, style),
  ]
}

function statementSection(statements: readonly ChangedStatement[], style: TerminalStyle): string[] {
  if (statements.length === 0) return []
  const value = (text: string) => shortened(printableSentence(text), longestText)
  return [
    ...heading('Requirements that read differently', statements.length, style.colors.bold),
    ...statements
      .slice(0, shownGroups)
      .flatMap(({ requirement, part, before, after }) => [
        ...hanging('  ', printableSentence(`${requirement}, ${part}`), style),
        ...field(margin, 'before', value(before), style, style.colors.dim),
        ...field(margin, 'after', value(after), style),
      ]),
    ...rest(statements.length - shownGroups, style),
  ]
}

function lastRow(comparison: Comparison, { colors }: TerminalStyle): string[] {
  const paints = {
    worse: colors.red,
    'no worse': colors.green,
    incomparable: colors.yellow,
    incomplete: colors.yellow,
  }
  // One row, however long: whoever looks at the last one alone sees all of it.
  return ['', colors.bold(paints[comparison.outcome](outcomeText(comparison)))]
}

/**
 * The comparison for a terminal, ending with a line break: in what else the runs differ, then what
 * matters least, and at the end what is newly failing and the outcome in one row. Text of the reports
 * cannot steer the terminal.
 */
export function comparisonText(
  comparison: Comparison,
  options: { color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const { requirements, timings } = comparison
  const { colors } = style
  const rows = [
    ...header(comparison, style),
    ...timingSection('Faster endpoints', timings.faster, style),
    ...timingSection('Slower endpoints', timings.slower, style),
    ...observationRows(comparison, style),
    ...statementSection(requirements.changedStatements, style),
    ...briefSection('Judged after, and not asked for before', requirements.notComparable, style),
    ...briefSection('Requirements that are gone', requirements.goneRows, style),
    ...briefSection('New requirements', requirements.newRows, style),
    ...briefSection('Newly judged', requirements.newlyJudged, style),
    ...reasonSection('Judged less than before', requirements.judgedLess, style),
    ...briefSection('Now waived or advisory', requirements.newlyTolerated, style),
    ...briefSection('Mended', requirements.mended, style, colors.green),
    ...briefSection('Still failing', failingAlike(requirements), style, colors.red),
    ...deviationSection('No longer waived', requirements.noLongerWaived, style, colors.red),
    ...deviationSection(
      'Newly deviating, and waived or advisory',
      requirements.newlyDeviating,
      style,
      colors.yellow,
    ),
    ...deviationSection(
      'Deviating otherwise than before',
      deviatingOtherwise(requirements),
      style,
      colors.yellow,
    ),
    ...reasonSection(
      'Judged before, and not looked at after',
      requirements.notLookedAt.map(withReasonNotLookedAt),
      style,
    ),
    ...reasonSection('Newly without a verdict', requirements.newlyUnjudged, style),
    ...failureSection(requirements.newlyFailing, style),
    ...lastRow(comparison, style),
  ]
  return `${rows.join('\n')}\n`
}
