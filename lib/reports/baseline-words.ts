import type { BaselineReview, PinState, ReviewedPin, RunReport } from '../conformance/result.ts'
import { counted } from './run-words.ts'

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
