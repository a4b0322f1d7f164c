import type { LeftBehind } from '../conformance/result.ts'

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
