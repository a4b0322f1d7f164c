/** The sections of a run on a terminal: its document, and the exchanges and commands of failures. */
import { curlCommand } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { exchangeLines, inspectedParts, requestLine, statusLine } from './exchange-text.ts'
import type { ReportModel } from './model.ts'
import { hasEnded } from './report-text.ts'
import {
  creationsFor,
  creationText,
  requiredVariables,
  runCommand,
  variablesText,
} from './rerun-commands.ts'
import { runSections } from './run-document.ts'
import { indent, labelled, sectionLines, type TerminalLine } from './terminal-document.ts'

const MAX_DETAILED_FAILURES = 12
const MAX_DETAILED_REASONS = 6

const MAX_FOLDED_ENTRIES = 20

/** Exchanges and commands for a terminal; each exchange is shown once. */
interface ShownExchanges {
  /**
   * Returns the exchange of a result with the commands that repeat it, or a reference to it if it is already shown.
   * The command of a request that creates a secret is shown once.
   */
  of(result: RequirementResult): TerminalLine[]
  /** Returns the variables that the commands need. */
  variables(): TerminalLine[]
  /** Returns the command that re-runs failures, or their sections if there are many. */
  rerun(failed: readonly { result: RequirementResult }[]): TerminalLine[]
}

function exchangesOf({ evidence, report }: ReportModel): ShownExchanges {
  const shown = new Set<string>()
  const repeated: ExchangeRecord[] = []

  function commands(exchange: ExchangeRecord): TerminalLine[] {
    const isNew = (one: ExchangeRecord) => !repeated.includes(one)
    const creations = creationsFor(exchange, report).filter(({ exchange }) => isNew(exchange))
    repeated.push(...creations.map((one) => one.exchange), exchange)
    return [
      ...creations.flatMap(({ names, exchange }): TerminalLine[] => [
        [indent, creationText(names), 'dim'],
        { command: curlCommand(exchange, report.settings) },
      ]),
      ...(creations.length === 0 ? [] : ([[indent, 'Then:', 'dim']] as const)),
      { command: curlCommand(exchange, report.settings) },
    ]
  }

  function of(result: RequirementResult): TerminalLine[] {
    const label = labelled('exchange')
    const exchange = evidence.of(result)
    if (exchange === undefined) return []
    if (shown.has(exchange.id)) return [[label, `${exchange.id}, shown above`, 'dim']]
    shown.add(exchange.id)
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
      ...(hasEnded(report) ? [] : commands(exchange)),
    ]
  }

  function variables(): TerminalLine[] {
    const text = variablesText(requiredVariables(repeated, report))
    return text === undefined ? [] : ['', ['  ', text, 'dim']]
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
  const { failed, inconclusive } = model
  const exchanges = exchangesOf(model)
  const more: Record<string, (index: number) => TerminalLine[]> = {
    failed(index) {
      const { result } = failed[index] ?? {}
      return result && index < MAX_DETAILED_FAILURES ? exchanges.of(result) : []
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
  const note = `Exchanges from number ${MAX_DETAILED_FAILURES + 1} on are only in the report files.`
  return [
    ...lines,
    ['  ', failed.length > MAX_DETAILED_FAILURES ? note : undefined, 'dim'],
    ...(failed.length > 0 ? exchanges.rerun(failed) : []),
    ...exchanges.variables(),
  ]
}
