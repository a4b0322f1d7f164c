import type { Target } from '../environment/target.ts'
import type { Secret } from '../environment/variable.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import type { CreatedResource } from './ledger.ts'

export interface Swept {
  creation: CreatedResource
  outcome: 'deleted' | 'absent' | 'notCreated' | 'kept'
  /** Reason why it was kept or may still exist, and the action of the operator. */
  reason?: string
  /** True if the service did not authorize the search, so that other missing resources may exist. */
  unauthorized?: true
}

export interface Sweeper {
  /** Returns the reason why nothing can be deleted with this target, and the action of the operator, if any. */
  blocker(creations: readonly CreatedResource[], target: Target): string | undefined
  readonly hint: string
  /** Requires a target without an obstacle. */
  open(target: Target, options: SweepingOptions): Sweeping
}

export type SweepingOptions = { version: string; secrets: Secret[]; redactor: Redactor }

export interface Sweeping {
  sweep(creation: CreatedResource): Promise<Swept>
  close(): Promise<void>
}
