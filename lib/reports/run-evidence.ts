import type { CheckReport } from '../conformance/check-report.ts'
import { type CheckResult, redactCheckResult } from '../conformance/run-check.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import type { LeakedResource, Observation } from '../results/run-report.ts'

export interface RunEvidence {
  judgements: CheckResult[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  leakedResources: LeakedResource[]
  /** Internal errors, such as a suite that cannot be loaded. */
  internalErrors: string[]
}

export const noEvidence = (): RunEvidence => ({
  judgements: [],
  observations: [],
  exchanges: [],
  leakedResources: [],
  internalErrors: [],
})

export function gather(evidence: RunEvidence, report: CheckReport): void {
  const { judgement, observation, exchanges, leakedResources = [], internalError = [] } = report
  evidence.judgements.push(...[judgement ?? []].flat())
  evidence.observations.push(...[observation ?? []].flat())
  evidence.exchanges.push(...exchanges)
  evidence.leakedResources.push(...leakedResources)
  evidence.internalErrors.push(...[internalError].flat())
}

/**
 * Redacts the evidence again, with the secrets of the whole run: of two concurrent requests, one response
 * may contain a token before the other one issues it.
 */
export function redactEvidence(evidence: RunEvidence, redactor: Redactor): RunEvidence {
  const redacted = (text: string | null) => (text === null ? null : redactor.redact(text))
  const redactedCut = (text: string | null) => (text === null ? null : redactor.redactCut(text))
  return {
    ...evidence,
    judgements: evidence.judgements.map((judgement) => redactCheckResult(judgement, redactor)),
    observations: evidence.observations.map((observation) => ({
      ...observation,
      value: redactor.redactJson(observation.value),
    })),
    exchanges: evidence.exchanges.map(({ request, response, error, ...rest }) => ({
      ...rest,
      request: redactor.redactRequest(request),
      response: response && {
        ...response,
        headers: redactor.redactFields(response.headers),
        body: (response.bodyKept === undefined ? redacted : redactedCut)(response.body),
      },
      error: redacted(error),
    })),
  }
}
