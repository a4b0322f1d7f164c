import type { Secret } from '../environment/environment.ts'
import type { Target } from '../environment/target.ts'
import type { Redactor } from '../probe/redaction.ts'
import type { Creation } from './ledger.ts'

export interface Swept {
  creation: Creation
  /** `gone`: the service knows no such thing. `refused`: it is one that a service refuses to make. */
  outcome: 'removed' | 'gone' | 'refused' | 'left'
  /** Why it was left, or may be there all the same, and what to do. */
  reason?: string
  /** Whether it says nothing about what else was not found: the service did not let us look. */
  unauthorized?: true
}

export interface Sweeper {
  /** Why none of it can be taken away with this target, and what to do; absent when it can. */
  obstacle(creations: readonly Creation[], target: Target): string | undefined
  /** What may be wrong where nothing at all was found. */
  readonly doubt: string
  /** For a target without an obstacle. */
  open(target: Target, options: SweepingOptions): Sweeping
}

export type SweepingOptions = { version: string; secrets: Secret[]; redactor: Redactor }

export interface Sweeping {
  sweep(creation: Creation): Promise<Swept>
  close(): Promise<void>
}
