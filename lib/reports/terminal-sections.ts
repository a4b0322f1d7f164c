/** The sections of a run on a terminal: its document, and the exchanges and commands of failures. */
import { join } from 'node:path'
import { curlCommand } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { exchangeLines, inspectedParts, requestLine, statusLine } from './exchange-text.ts'
import { type NoScriptReason, noScriptTexts } from './failure-script/no-script.ts'
import type { Failure, ReportModel } from './model.ts'
import { abbreviatedIds, hasEnded } from './report-text.ts'
import { runCommand, shellVariablesIn } from './rerun-commands.ts'
import { runSections } from './run-document.ts'
import { indent, labelled, sectionLines, type TerminalLine } from './terminal-document.ts'

const MAX_DETAILED_FAILURES = 12
const MAX_DETAILED_REASONS = 6

const MAX_FOLDED_ENTRIES = 20

/** Exchanges and commands for a terminal; each exchange is shown once. */
interface ShownExchanges {
  /**
   * Returns the exchange of a result, or a reference to it if it is already shown.
   *
   * @param hasScript true if a script repeats it, so that no command is shown
   */
  of(result: RequirementResult, hasScript?: boolean): TerminalLine[]
  variables(): TerminalLine[]
  /** Returns the command that re-runs failures, or their sections if there are many. */
  rerun(failed: readonly { result: RequirementResult }[]): TerminalLine[]
}

function exchangesOf({ evidence, report }: ReportModel): ShownExchanges {
  const shown = new Set<string>()
  const repeated: ExchangeRecord[] = []

  function of(result: RequirementResult, hasScript = false): TerminalLine[] {
    const label = labelled('exchange')
    const exchange = evidence.of(result)
    if (exchange === undefined) return []
    if (shown.has(exchange.id)) return [[label, `${exchange.id}, shown above`, 'dim']]
    shown.add(exchange.id)
    const hasCommand = !hasScript && !hasEnded(report)
    if (hasCommand) repeated.push(exchange)
    const read = inspectedParts([result])
    const body = read.isOutsideBody ? undefined : { characters: 480, lines: 6 }
    // The other fields of a failure are on the page.
    const headers = result.verdict === 'fail' ? 'read' : 'all'
    const lines = exchangeLines(exchange, { read, requestDetails: false, headers, body })
    return [
      [label, `${exchange.id}: ${requestLine(exchange)}: ${statusLine(exchange)}`, 'dim'],
      ...lines
        .slice(2)
        .filter(({ text }) => text !== '<')
        .map(({ text, isRead }): TerminalLine => {
          // The margin of a line that has what was read is marked.
          const before = isRead ? `${'!'.padStart(indent.length - 1)} ` : indent
          const color = isRead ? 'red' : undefined
          return [`${before}${text.slice(0, 2)}`, { code: text.slice(2) }, color]
        }),
      ...(hasCommand ? [{ command: curlCommand(exchange, report.settings) }] : []),
    ]
  }

  function variables(): TerminalLine[] {
    const { obtainableSecrets, requiredVariables } = shellVariablesIn(repeated, report)
    const parts = requiredVariables.map(
      ({ names, text }) => `${names.map((name) => `$${name}`).join(', ')}, ${text}`,
    )
    const set = `Set before repeating a request: ${parts.join('; ')}.`
    return [
      ...(parts.length === 0 ? [] : (['', ['  ', set, 'dim']] as const)),
      ...obtainableSecrets.flatMap(({ name, command }): TerminalLine[] => [
        ['  ', `Create $${name} with:`, 'dim'],
        { command },
      ]),
    ]
  }

  return {
    of,
    variables,
    rerun(failed) {
      const ids = failed.map(({ result }) => result.requirement)
      const sections = new Set(ids.map((id) => id.split('/').slice(0, 2).join('/')))
      const patterns = failed.length > MAX_DETAILED_FAILURES ? [...sections] : ids
      return ['', ['  ', 'Re-run the failures:', 'dim'], { command: runCommand(patterns, report) }]
    },
  }
}

/**
 * Returns the sections of a run, least important first, failures last. Only the first failures and reasons
 * have their exchanges.
 *
 * @param options `quiet`: only those that make the exit status nonzero; `verbose`: all observations too
 */
export function reportLines(
  model: ReportModel,
  { quiet, verbose }: { quiet?: boolean | undefined; verbose?: boolean | undefined },
): TerminalLine[] {
  const { failed, inconclusive, report } = model
  const exchanges = exchangesOf(model)
  const more: Record<string, (index: number) => TerminalLine[]> = {
    failed(index) {
      const { result, script } = failed[index] as Failure
      const path = typeof script === 'object' && join(report.run.reports ?? 'reports', script.path)
      return [
        ...(index < MAX_DETAILED_FAILURES ? exchanges.of(result, path !== false) : []),
        [labelled('script'), path || undefined, 'cyan'],
      ]
    },
    inconclusive(index) {
      const { example, isStopped } = inconclusive[index] ?? {}
      return example && !isStopped && index < MAX_DETAILED_REASONS ? exchanges.of(example) : []
    },
  }
  const lines = runSections(model)
    .toReversed()
    .filter(({ id, folded }) => (quiet ? !folded : verbose || id !== 'observations'))
    .flatMap((section) => {
      const { id = '', folded = false } = section
      return sectionLines(section, more[id], folded ? MAX_FOLDED_ENTRIES : undefined)
    })
  const unscripted = groupBy(failed, ({ script }) => (typeof script === 'string' ? script : ''))
  const reasons = [...unscripted].flatMap(([reason, group]) => {
    const text = noScriptTexts[reason as NoScriptReason]
    const ids = abbreviatedIds(group.map(({ result }) => result.requirement))
    return text === undefined ? [] : `no script: ${text}: ${ids}`
  })
  const note = `Exchanges from number ${MAX_DETAILED_FAILURES + 1} on are only in the report files.`
  return [
    ...lines,
    ...reasons.map((text): TerminalLine => ['  ', text, 'dim']),
    ['  ', failed.length > MAX_DETAILED_FAILURES ? note : undefined, 'dim'],
    ...(failed.length > 0 ? exchanges.rerun(failed) : []),
    ...exchanges.variables(),
  ]
}
