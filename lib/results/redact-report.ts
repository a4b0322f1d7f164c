import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import { pointerNames, toPointer } from '../text/json-pointer.ts'
import type { Reason } from './reason.ts'
import type { CheckResult } from './run-evidence.ts'
import type { InspectedPart, RunReport } from './run-report.ts'

function redactedReads(
  part: InspectedPart | undefined,
  redactor: Pick<Redactor, 'redact'>,
): InspectedPart | undefined {
  if (part === undefined || 'status' in part) return part
  if ('header' in part) return { header: redactor.redact(part.header) }
  // Redaction would not find a secret with pointer escapes.
  const names = pointerNames(part.pointer).map((name) => redactor.redact(name))
  const value = part.value !== undefined && { value: redactor.redact(part.value) }
  return { pointer: toPointer(names), ...value }
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

/** Fields with one of Plumbline's own codes, which may equal a secret. */
const CODES = new Set(['kind', 'verdict', 'level', 'state', 'by', 'instead'])

/** Returns a copy with every text redacted, whatever its field. Redaction would not find a secret in a JSON pointer. */
function redactTexts<Data>(data: Data, redact: (text: string) => string): Data
function redactTexts(data: unknown, redact: (text: string) => string): unknown {
  if (typeof data === 'string') return redact(data)
  if (Array.isArray(data)) return data.map((item) => redactTexts(item, redact))
  if (typeof data !== 'object' || data === null) return data
  const fields = Object.entries(data).map(([name, item]) => {
    if (CODES.has(name)) return [name, item]
    const isPointer = name === 'pointer' && typeof item === 'string'
    return [name, isPointer ? toPointer(pointerNames(item).map(redact)) : redactTexts(item, redact)]
  })
  return Object.fromEntries(fields)
}

/**
 * Redacts a complete report again, with the secrets of the whole run: of two concurrent requests, one response
 * may contain a token before the other one issues it. Texts of the catalogue stay.
 */
export function redactReport(
  report: RunReport,
  redactor: Redactor,
  catalogueTexts: ReadonlySet<string> = new Set(),
): RunReport {
  const redact = (text: string) => (catalogueTexts.has(text) ? text : redactor.redactMessage(text))
  const redactExchange = ({ request, response, ...rest }: ExchangeRecord): ExchangeRecord => {
    // Placeholders have offsets in the other parts.
    const { url, headers, user, body, secrets, placeholders, ...sent } = request
    const redactBody = (text: string) =>
      response?.bodyKept === undefined ? redactor.redact(text) : redactor.redactCut(text)
    return {
      ...redactTexts(rest, redact),
      request: redactor.redactRequest({ ...request, ...redactTexts(sent, redact) }),
      response: response && {
        ...redactTexts({ ...response, headers: [], body: null }, redact),
        headers: redactor.redactFields(response.headers),
        body: response.body === null ? null : redactBody(response.body),
      },
    }
  }
  return {
    ...redactTexts({ ...report, observations: [], exchanges: [] }, redact),
    observations: report.observations.map(({ value, ...rest }) => {
      return { ...redactTexts(rest, redact), value: redactor.redactJson(value) }
    }),
    exchanges: report.exchanges.map(redactExchange),
  }
}
