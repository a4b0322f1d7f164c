import type {
  BaselineReview,
  LeftBehind,
  PinState,
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
  Waiver,
} from '../conformance/result.ts'
import { counted } from './run-words.ts'

/** Who answers for a waiver, until when, and why: all that a reader of a waived row needs. */
export function waiverText({ owner, expires, reason, link }: Omit<Waiver, 'requirement'>): string {
  return `${owner}, until ${expires}: ${reason}${link === undefined ? '' : ` (${link})`}`
}

/** The waivers of a run that fail it: expired, unknown or no longer needed. */
export function failingWaivers({ waivers = [] }: Pick<RunReport, 'waivers'>): ReviewedWaiver[] {
  return waivers.filter(({ state }) => ['expired', 'unneeded', 'unknown'].includes(state))
}

/** Those of which nobody knows whether they are still needed. */
export function unjudgedWaivers({ waivers = [] }: Pick<RunReport, 'waivers'>): ReviewedWaiver[] {
  return waivers.filter(({ state }) => state === 'unjudged')
}

/** The message of a used waiver of which there is nothing to say. */
export const usedWaiverMessage = 'The requirement fails, and is waived.'

/** What is to be said of a used waiver: that it expires soon. */
export function waiverNote(
  { requirement }: Pick<RequirementResult, 'requirement'>,
  { waivers = [] }: Pick<RunReport, 'waivers'>,
): string | undefined {
  const message = waivers.find((waiver) => waiver.requirement === requirement)?.message
  return message === usedWaiverMessage ? undefined : message
}

/** The observations of a run that are in that state. */
export function pinsIn(
  state: PinState,
  { baseline }: { baseline?: BaselineReview | undefined },
): ReviewedPin[] {
  return baseline?.observations.filter((pin) => pin.state === state) ?? []
}

/** The changes that fail the run. */
export function failingPins(report: Pick<RunReport, 'baseline'>): ReviewedPin[] {
  return report.baseline?.pinned === true ? pinsIn('changed', report) : []
}

/** `2 observations changed, 1 is new, 3 were not observed; 32 are unchanged`. */
export function baselineCountsText(baseline: BaselineReview): string {
  const count = (state: PinState) => pinsIn(state, { baseline }).length
  const [changed, added, missing] = [count('changed'), count('new'), count('missing')]
  if (missing > 0 && missing === baseline.observations.length) {
    return `nothing was compared, since ${counted(missing, 'observation was', 'observations were')} not made`
  }
  const parts = [
    `${counted(changed, 'observation', 'observations')} changed`,
    ...(added === 0 ? [] : [counted(added, 'is new', 'are new')]),
    ...(missing === 0 ? [] : [`${counted(missing, 'was', 'were')} not observed`]),
    `${counted(count('unchanged'), 'is', 'are')} unchanged`,
  ]
  return parts.join(', ')
}

/** Says what the words `may exist` behind a name mean. */
export const mayExistNote =
  'What may exist was asked for, and no answer of the service said whether it was made.'

/** ` (may exist)` behind what nobody knows to have been made. */
export function stateText({ mayExist }: Pick<LeftBehind, 'mayExist'>): string {
  return mayExist ? ' (may exist)' : ''
}

/** One thing that was left on the target. It has to be made printable. */
export function leftBehindText(left: LeftBehind): string {
  return `${left.kind} ${left.name}, account ${left.account}${stateText(left)}`
}

/** The note, where it is needed. */
export function mayExistNotes(leftBehind: readonly LeftBehind[]): string[] {
  return leftBehind.some(({ mayExist }) => mayExist) ? [mayExistNote] : []
}

/** The variables that say how these are deleted. */
export function deletingVariables(leftBehind: readonly LeftBehind[]): string[] {
  return [...new Set(leftBehind.flatMap(({ deletedBy }) => deletedBy ?? []))]
}

/** What to do about what was left behind. @param code sets a command or a variable as code */
export function sweepAdvice(
  leftBehind: readonly LeftBehind[],
  code: (text: string) => string,
): string {
  const variables = deletingVariables(leftBehind).map(code).join(', ')
  const where = variables === '' ? '' : `, where ${variables} says how`
  return (
    `${code('plumbline sweep')} takes these away by the ledger in the reports directory${where}. ` +
    'Otherwise delete them by hand.'
  )
}
