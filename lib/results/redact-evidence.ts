import type { Redactor } from '../probe/redaction/redaction.ts'
import { pointerNames, toPointer } from '../text/json-pointer.ts'
import type { Reason } from './reason.ts'
import type { CheckResult, RunEvidence } from './run-evidence.ts'
import type { InspectedPart } from './run-report.ts'

function redactedReads(
  part: InspectedPart | undefined,
  redactor: Pick<Redactor, 'redact'>,
): InspectedPart | undefined {
  if (part === undefined || 'status' in part) return part
  if ('header' in part) return { header: redactor.redact(part.header) }
  // Redaction would not find a secret with pointer escapes.
  const names = pointerNames(part.pointer).map((name) => redactor.redact(name))
  return { pointer: toPointer(names) }
}

/** Redacts the texts of a reason; its kind and the names of needs are never secret. */
function redactReason(reason: Reason, redact: (text: string) => string): Reason {
  return {
    ...reason,
    ...('text' in reason && reason.text !== undefined && { text: redact(reason.text) }),
    ...('detail' in reason && { detail: redact(reason.detail) }),
    ...('path' in reason && reason.path !== undefined && { path: redact(reason.path) }),
    ...('because' in reason && { because: redactReason(reason.because, redact) }),
  }
}

/** Returns a redacted copy. @param redact redacts a text of Plumbline */
export function redactCheckResult<Some extends Omit<CheckResult, 'internalError'>>(
  result: Some,
  redactor: Redactor,
  redact: (text: string) => string = (text) => redactor.redactMessage(text),
): Some {
  const { noVerdict, expected, actual, reads, deviations, cases, notes } = result
  const redactText = (text: string | undefined) => text && redact(text)
  return {
    ...result,
    ...(noVerdict && { noVerdict: redactReason(noVerdict, redact) }),
    ...{ expected: redactText(expected), actual: redactText(actual) },
    reads: redactedReads(reads, redactor),
    deviations: deviations?.map((one) => ({
      ...one,
      ...{ expected: redact(one.expected), actual: redact(one.actual) },
      ...(one.problem !== undefined && { problem: redact(one.problem) }),
      ...(one.reads && { reads: redactedReads(one.reads, redactor) }),
    })),
    cases: {
      ...cases,
      missing: cases.missing.map(({ cases, noVerdict }) => {
        return { cases, noVerdict: redactReason(noVerdict, redact) }
      }),
    },
    ...(notes && { notes: notes.map(redact) }),
  }
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
