import type { ExchangeRecord } from '../probe/exchange.ts'
import type { Reason } from './reason.ts'
import type { Deviation, LeakedResource, Observation } from './run-report.ts'

/** Result of a case for one requirement; the reason if it could not be judged. */
export type CaseResult = 'conforms' | 'deviates' | Reason

/** Result of one check; its texts may contain secrets. */
export interface CheckResult {
  requirement: string
  verdict: 'pass' | 'fail' | 'inconclusive' | 'skipped'
  noVerdict?: Reason
  /** Deviations of a failure, at most `MAX_DEVIATIONS`, with the ids of their cases. */
  deviations?: Deviation<string>[]
  furtherDeviations?: number
  /** Results by the id of the case. */
  cases: Readonly<Record<string, CaseResult>>
  notes?: string[]
  exchanges: string[]
  durationMs: number
  internalError?: string
}

export const MAX_DEVIATIONS = 20

export interface RunEvidence {
  judgements: CheckResult[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  leakedResources: LeakedResource[]
  /** Internal errors, such as a suite that cannot be loaded. */
  internalErrors: string[]
}

/** Redacted evidence of one test, with all unreported exchanges, so that an interrupted run keeps them. */
export type CheckReport = Partial<RunEvidence>

export const noEvidence = (): RunEvidence => ({
  judgements: [],
  observations: [],
  exchanges: [],
  leakedResources: [],
  internalErrors: [],
})
