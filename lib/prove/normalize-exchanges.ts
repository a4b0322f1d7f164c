import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { RunReport } from '../results/run-report.ts'

/** Maximum difference of a running clock; a larger one is set by a scenario. */
const MAX_SKEW_MS = 3_600_000

/** Removes resources of the run from a JSON list, because their number depends on timing. */
function withoutCreated(body: string, runId: string): string {
  if (!body.startsWith('[') || !body.includes(runId)) return body
  try {
    const records: unknown[] = JSON.parse(body)
    return JSON.stringify(records.filter((record) => !JSON.stringify(record).includes(runId)))
  } catch {
    return body
  }
}

/**
 * Returns the exchanges of a run as texts without times, order, addresses and random values. Runs with the
 * same requests and responses return equal sets.
 */
export function normalizeExchanges(report: RunReport): ReadonlySet<string> {
  const { exchanges } = report
  const normalize = createNormalizer(report, { exact: true })

  function normalizeField({ name, value }: HeaderField, startedAt: string): string {
    const field = name.toLowerCase()
    const isNow = () => Math.abs(Date.parse(value) - Date.parse(startedAt)) < MAX_SKEW_MS
    // The length depends on numbers in the body; only an empty body matters.
    if (field === 'content-length' && value !== '0') return name
    if (field === 'x-service-otp' || (field === 'date' && isNow())) return name
    const text = normalize(value)
    // Base64 remains only for a wrong password; a configured one is replaced by its name.
    if (field === 'authorization' && /^Basic [A-Za-z0-9+/]+=*$/.test(text)) return `${name}: Basic`
    return `${name}: ${text}`
  }

  function normalizeResponse(
    { status, headers, body }: NonNullable<ExchangeRecord['response']>,
    startedAt: string,
  ) {
    const kept = body && withoutCreated(body, report.run.id)
    // Numeric fields, such as totals, depend on timing too.
    const fields = headers.map((field) =>
      kept !== body && /^\d+$/.test(field.value) ? field.name : normalizeField(field, startedAt),
    )
    return [status, fields, kept === null ? null : normalize(kept)]
  }

  return new Set(
    exchanges.map(({ service, startedAt, request, response, error }) => {
      const body = (text: string | null) => (text === null ? null : normalize(text))
      const fields = (headers: readonly HeaderField[]) =>
        headers.map((field) => normalizeField(field, startedAt))
      return JSON.stringify([
        service,
        request.method,
        normalize(request.url),
        fields(request.headers),
        body(request.body),
        response && normalizeResponse(response, startedAt),
        body(error),
      ])
    }),
  )
}
