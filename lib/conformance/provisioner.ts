import type { Target } from '../environment/target.ts'
import type { Redactor } from '../probe/redaction.ts'

/** A request to provision a server. */
export interface ProvisionWork {
  target: Target
  /** The start of every name that is created. */
  prefix: string
  remove?: boolean
  /** True if the environment file gets the administrator's credentials too. */
  includeAdmin?: boolean
  userAgent: string
  redactor: Redactor
  interruption: AbortSignal
  log: (text: string) => void
  /** Returns true if the operator agrees to what was logged. */
  confirm: () => Promise<boolean>
  /** Adds to the environment file; returns false if it could not be written. */
  write: (part: { text: string; secrets: readonly string[] }) => boolean
}

/** Creates on servers of one product what full coverage needs, and deletes it again. */
export interface Provisioner {
  /** The variables that must be set, each with its purpose. */
  required: Readonly<Record<string, string>>
  /** Returns `refused` for a rejection, and `stopped` without consent, after an interruption or without a response. */
  provision: (work: ProvisionWork) => Promise<'done' | 'refused' | 'stopped'>
}
