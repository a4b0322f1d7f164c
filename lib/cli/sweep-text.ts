import { leftBehindText } from '../reports/list-words.ts'
import { printableSentence } from '../reports/printable.ts'
import { hanging, type TerminalStyle } from '../reports/terminal-style.ts'
import type { Swept } from './sweep-ledger.ts'

/** What was found in one ledger, and what became of it. */
export interface SweptLedger {
  /** File name. */
  name: string
  /** Why nothing was sent for it, and what to do; absent when it was swept. */
  untouched?: string
  swept: readonly Swept[]
  /** Lines that name what no run of this name makes. */
  foreign: number
  /** Nothing is left of the run, and the ledger is no more. */
  cleared: boolean
}

const labels = {
  removed: 'removed',
  gone: 'gone already',
  refused: 'not made',
  left: 'left',
} as const

function sweptRow({ creation, outcome }: Swept, told: string, style: TerminalStyle): string[] {
  const what = leftBehindText(outcome === 'left' ? creation : { ...creation, mayExist: undefined })
  const text = printableSentence(`${what}${told}`)
  return hanging(`  ${labels[outcome].padEnd(12)}  `, text, style)
}

/** The causes that several have in common, each with those. */
function sharedCauses(swept: readonly Swept[]): [string, Swept[]][] {
  const groups = new Map<string, Swept[]>()
  for (const one of swept) {
    if (one.reason !== undefined) groups.set(one.reason, [...(groups.get(one.reason) ?? []), one])
  }
  return [...groups].filter(([, { length }]) => length > 1)
}

/** A cause that several have stands once below them; with a number where there are several causes. */
function sweptRows(swept: readonly Swept[], style: TerminalStyle): string[] {
  const causes = sharedCauses(swept).map(([reason, those], index, { length }) => ({
    reason,
    mark: length === 1 ? '' : ` (${index + 1})`,
    text: `${those.length} ${those.map(({ outcome }) => labels[outcome])[0]}`,
  }))
  const told = (reason: string | undefined) =>
    reason === undefined
      ? ''
      : (causes.find((cause) => cause.reason === reason)?.mark ?? `: ${reason}`)
  return [
    ...swept.flatMap((one) => sweptRow(one, told(one.reason), style)),
    ...causes.flatMap(({ reason, mark, text }) =>
      hanging('  ', printableSentence(`${text}${mark}: ${reason}.`), style),
    ),
  ]
}

function linesText(count: number): string {
  return count === 1 ? '1 line names' : `${count} lines name`
}

function ledgerRows(ledger: SweptLedger, style: TerminalStyle): string[] {
  const { name, untouched, swept, foreign, cleared } = ledger
  return [
    printableSentence(name),
    ...sweptRows(swept, style),
    ...(untouched === undefined ? [] : hanging('  ', printableSentence(untouched), style)),
    ...(foreign === 0
      ? []
      : hanging(
          '  ',
          `${linesText(foreign)} something that this run cannot have made. Nothing was done about ` +
            'that, and the ledger is kept: look into it, and delete it by hand.',
          style,
        )),
    ...(cleared ? ['  Nothing is left of this run: the ledger was deleted.'] : []),
    '',
  ]
}

/** `2 removed, 1 gone already, 0 left`: every row that was shown, under the label that it has there. */
export function countsText(ledgers: readonly SweptLedger[]): string {
  const all = ledgers.flatMap(({ swept }) => swept)
  const counts = (['removed', 'gone', 'refused', 'left'] as const).map((wanted) => ({
    wanted,
    count: all.filter(({ outcome }) => outcome === wanted).length,
  }))
  return counts
    .filter(({ wanted, count }) => wanted !== 'refused' || count > 0)
    .map(({ wanted, count }) => `${count} ${labels[wanted]}`)
    .join(', ')
}

/** Why the status is not 0 even where no row says so: a run may be going, or lines be foreign. */
function keptText(ledgers: readonly SweptLedger[]): string {
  const kept = ledgers.filter(({ cleared }) => !cleared).length
  if (kept === 0) return ''
  return kept === 1 ? ' 1 ledger is kept.' : ` ${kept} ledgers are kept.`
}

/**
 * Nobody can tell a path that is wrong from tokens that have gone, unless it has deleted one. Where
 * credentials were refused, these are to be put right first.
 */
function doubtRows(ledgers: readonly SweptLedger[], style: TerminalStyle): string[] {
  const all = ledgers.flatMap(({ swept }) => swept)
  const outcomes = all.map(({ outcome }) => outcome)
  if (!outcomes.includes('gone') || outcomes.includes('removed')) return []
  if (all.some(({ unauthorized }) => unauthorized)) return []
  return hanging(
    '',
    'No token was found. If some are still there, CODE_HOSTING_TOKEN_DELETE_PATH is not their path: ' +
      'delete by hand those that are named above.',
    style,
  )
}

/** What a sweep did, for a person. */
export function sweepText(ledgers: readonly SweptLedger[], style: TerminalStyle): string {
  const rows = [
    ...ledgers.flatMap((ledger) => ledgerRows(ledger, style)),
    ...doubtRows(ledgers, style),
    `${countsText(ledgers)}.${keptText(ledgers)}`,
  ]
  return `${rows.join('\n')}\n`
}
