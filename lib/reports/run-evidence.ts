import type { CheckReport } from '../conformance/check-report.ts'
import { type CheckResult, redactCheckResult } from '../conformance/run-check.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import type { Redactor } from '../probe/redaction.ts'
import type { LeakedResource, Observation } from '../results/run-report.ts'

export interface RunEvidence {
  judgements: CheckResult[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  leftBehind: LeakedResource[]
  /** Defects of our own: of checks, and outside of them, such as a suite that cannot be loaded. */
  defects: string[]
}

export const noEvidence = (): RunEvidence => ({
  judgements: [],
  observations: [],
  exchanges: [],
  leftBehind: [],
  defects: [],
})

/** Adds what a check, or the end of a run, tells. */
export function gather(evidence: RunEvidence, report: CheckReport): void {
  const { judgement, observation, exchanges, leftBehind = [], defect } = report
  evidence.judgements.push(...[judgement ?? []].flat())
  evidence.observations.push(...[observation ?? []].flat())
  evidence.exchanges.push(...exchanges)
  evidence.leftBehind.push(...leftBehind)
  evidence.defects.push(...[defect ?? []].flat())
}

/**
 * What a run has told, redacted once more. Requests are under way at the same time, so that an answer
 * may show a token before the answer that tells it.
 */
export function redactEvidence(evidence: RunEvidence, redactor: Redactor): RunEvidence {
  const redacted = (text: string | null) => (text === null ? null : redactor.redact(text))
  const redactedCut = (text: string | null) => (text === null ? null : redactor.redactCut(text))
  const fields = (headers: readonly HeaderField[]) =>
    headers.map(({ name, value }) => ({
      name: redactor.redact(name),
      value: redactor.redact(value),
    }))
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
        headers: fields(response.headers),
        body: (response.bodyKept === undefined ? redacted : redactedCut)(response.body),
      },
      error: redacted(error),
    })),
  }
}
