/** Names of states and changes of requirements between two runs. */
import type { ChangeKind, State } from '../results/changes.ts'
import { verdictLabels } from './verdict-labels.ts'

export const stateLabels: Record<State, string> = {
  ...verdictLabels,
  /** The service was probed by a version without this requirement. */
  absent: 'not in the report',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
}

/** Titles of lists of changed requirements; in lower case they follow a number. */
export const changeTitles: Record<ChangeKind, string> = {
  regressions: 'Newly failing',
  failingWithoutVerdictBefore: 'Failing but not judged before',
  lostVerdicts: 'No longer judged',
  notRun: 'Judged before but not run after',
  changedDeviations: 'Deviating differently than before',
  noLongerTolerated: 'No longer waived or advisory',
  newlyTolerated: 'Now waived or advisory',
  stillFailing: 'Still failing',
  fixed: 'Fixed',
  newVerdicts: 'Newly judged',
  unchanged: 'Unchanged',
}
