import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { RunReport } from '../results/run-report.ts'

/** A clock of the service that is further away than any that runs is set on purpose. */
const CLOCK_MS = 3_600_000

/** Returns a function that takes out of a text what differs from run to run. */
export function textForm(report: Pick<RunReport, 'run' | 'target'>): (text: string) => string {
  return createNormalizer(report, { exact: true })
}

/** Removes from a list in JSON what the run created: which of it is there already depends on time. */
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
 * The exchanges of a run, each as one text without what differs from run to run: when and in which
 * order they took place, where the deployment listened, and what either side made up. Two runs that
 * sent the same and got the same have the same ones.
 */
export function exchangeForms(report: RunReport): ReadonlySet<string> {
  const { exchanges } = report
  const form = textForm(report)

  function fieldForm({ name, value }: HeaderField, startedAt: string): string {
    const field = name.toLowerCase()
    const isNow = () => Math.abs(Date.parse(value) - Date.parse(startedAt)) < CLOCK_MS
    // Longer or shorter with a number in the body; that there is nothing is worth telling.
    if (field === 'content-length' && value !== '0') return name
    if (field === 'x-service-otp' || (field === 'date' && isNow())) return name
    const shown = form(value)
    // A wrong password; what is configured stands there by its name.
    if (field === 'authorization' && /^Basic [A-Za-z0-9+/]+=*$/.test(shown)) return `${name}: Basic`
    return `${name}: ${shown}`
  }

  function responseForm(
    { status, headers, body }: NonNullable<ExchangeRecord['response']>,
    startedAt: string,
  ) {
    const kept = body && withoutCreated(body, report.run.id)
    // Then totals depend on time too.
    const shown = headers.map((field) =>
      kept !== body && /^\d+$/.test(field.value) ? field.name : fieldForm(field, startedAt),
    )
    return [status, shown, kept === null ? null : form(kept)]
  }

  return new Set(
    exchanges.map(({ service, startedAt, request, response, error }) => {
      const body = (text: string | null) => (text === null ? null : form(text))
      const fields = (headers: readonly HeaderField[]) =>
        headers.map((field) => fieldForm(field, startedAt))
      return JSON.stringify([
        service,
        request.method,
        form(request.url),
        fields(request.headers),
        body(request.body),
        response && responseForm(response, startedAt),
        body(error),
      ])
    }),
  )
}
