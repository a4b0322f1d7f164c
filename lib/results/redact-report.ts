import type { ExchangeRecord } from '../probe/exchange.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import { pointerNames, toPointer } from '../text/json.ts'
import { excerpt } from '../text/printable.ts'
import type { CheckResult } from './run-evidence.ts'
import type { RunReport } from './run-report.ts'

/** Fields with one of Plumbline's own codes, which may equal a secret. */
const CODES = new Set(['kind', 'verdict', 'level', 'state', 'by', 'instead'])

/** Further fields of the result of a check with ids and names of variables. */
const RESULT_CODES = new Set([
  ...CODES,
  ...['requirement', 'exchange', 'exchanges', 'cases', 'name', 'variable', 'variables'],
])

/** Returns a copy with every text redacted, whatever its field. Redaction would not find a secret in a JSON pointer. */
function redactTexts<Data>(data: Data, redact: (text: string) => string, codes = CODES): Data {
  const redacted = (item: unknown): unknown => {
    if (typeof item === 'string') return redact(item)
    if (Array.isArray(item)) return item.map(redacted)
    if (typeof item !== 'object' || item === null) return item
    const fields = Object.entries(item).map(([name, part]) => {
      if (codes.has(name)) return [name, part]
      const isPointer = name === 'pointer' && typeof part === 'string'
      return [name, isPointer ? toPointer(pointerNames(part).map(redact)) : redacted(part)]
    })
    return Object.fromEntries(fields)
  }
  return redacted(data) as Data
}

/** Limits of a text in the result of a check; the exchange has the rest. */
const limits = { characters: 2000, lines: Number.POSITIVE_INFINITY }

/** Returns a redacted copy with short texts. What the server sent may contain a secret that is a word. */
export function redactCheckResult(result: CheckResult, redactor: Redactor): CheckResult {
  // Half a secret could not be redacted.
  const redact = (text: string) => excerpt(redactor.redactMessage(text), limits)
  const deviations = result.deviations?.map(({ reads, ...texts }) => ({
    ...redactTexts(texts, redact, RESULT_CODES),
    ...(reads && { reads: redactTexts(reads, (text) => redactor.redact(text)) }),
  }))
  const cases = Object.entries(result.cases).map(([id, one]) => {
    return [id, typeof one === 'string' ? one : redactTexts(one, redact, RESULT_CODES)] as const
  })
  return {
    ...redactTexts(result, redact, RESULT_CODES),
    ...(deviations && { deviations }),
    cases: Object.fromEntries(cases),
  }
}

/** Redacts a report with all secrets of the run: a response may contain a token before another one issues it. Catalogue texts stay. */
export function redactReport(
  report: RunReport,
  redactor: Redactor,
  catalogue: ReadonlySet<string>,
) {
  const redact = (text: string) => (catalogue.has(text) ? text : redactor.redactMessage(text))
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
    ...redactTexts({ ...report, settings: {}, observations: [], exchanges: [] }, redact),
    // A value may contain a secret that is a word, such as a body with a password.
    settings: redactTexts(report.settings, (text) => redactor.redact(text)),
    observations: report.observations.map(({ value, ...rest }) => {
      return { ...redactTexts(rest, redact), value: redactor.redactJson(value) }
    }),
    exchanges: report.exchanges.map(redactExchange),
  }
}
