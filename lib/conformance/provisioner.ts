import type { Target } from '../environment/probe-variables.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'

export interface ProvisionWork {
  target: Target
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
}

export interface ProvisionResult {
  /** `failed`: a rejection; `stopped`: without consent, after an interruption, or without a response. */
  outcome: 'done' | 'failed' | 'stopped'
  /** Text of an environment file, with secrets. */
  environment?: string
}

/** Creates and deletes the resources that full coverage needs, on servers of one product. */
export interface Provisioner {
  /** Purposes of the required variables, by name. */
  required: Readonly<Record<string, string>>
  provision: (work: ProvisionWork) => Promise<ProvisionResult>
}
