import type { Judgement } from '../conformance/judgement.ts'
import { redactedReads } from '../conformance/scope.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import type { Redactor } from '../probe/redaction.ts'
import type { RunEvidence } from './conformance-reporter.ts'

function redactExchange(
  { request, response, error, ...rest }: ExchangeRecord,
  redactor: Redactor,
): ExchangeRecord {
  const redacted = (text: string | null) => (text === null ? null : redactor.redact(text))
  const fields = (headers: readonly HeaderField[]) =>
    redactor.redactFields(headers.map(({ name, value }) => [name, value]))
  return {
    ...rest,
    request: {
      ...request,
      url: redactor.redactUrl(request.url),
      headers: fields(request.headers),
      body: redacted(request.body),
    },
    response: response && {
      ...response,
      headers: fields(response.headers),
      body:
        response.bodyKept === undefined || response.body === null
          ? redacted(response.body)
          : redactor.redactCut(response.body),
    },
    error: redacted(error),
  }
}

function redactJudgement(
  { reason, expected, actual, reads, ...rest }: Judgement,
  redactor: Redactor,
) {
  const texts = Object.entries({ reason, expected, actual }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, redactor.redactOwnWords(text)]],
  )
  const read = redactedReads(reads, redactor)
  return { ...rest, ...Object.fromEntries(texts), ...(read === undefined ? {} : { reads: read }) }
}

/**
 * What a run has told, redacted once more. Requests are under way at the same time, so that an answer
 * may show a token before the answer that tells it.
 *
 * @param redactor knows every secret that the run has learnt
 */
export function redactEvidence(evidence: RunEvidence, redactor: Redactor): RunEvidence {
  // A secret that goes on from one field to the next is known in pieces from then on.
  for (const { response } of evidence.exchanges) {
    redactor.redactFields((response?.headers ?? []).map(({ name, value }) => [name, value]))
  }
  return {
    ...evidence,
    judgements: evidence.judgements.map((judgement) => redactJudgement(judgement, redactor)),
    observations: evidence.observations.map((observation) => ({
      ...observation,
      value: redactor.redactJson(observation.value),
    })),
    exchanges: evidence.exchanges.map((exchange) => redactExchange(exchange, redactor)),
  }
}
