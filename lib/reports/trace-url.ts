import type { Settings } from '../environment/environment.ts'
import { TRACE_ID } from '../environment/variable.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'

/** Returns the web address of the trace of an exchange; undefined without a trace id or `PROBE_TRACE_URL`. */
export function traceUrlOf(
  { traceId }: Pick<ExchangeRecord, 'traceId'>,
  settings: Settings,
): string | undefined {
  const { PROBE_TRACE_URL: template } = settings
  if (traceId === undefined || typeof template !== 'string') return undefined
  const url = template.replaceAll(TRACE_ID, traceId)
  // A report may come from another machine: no other scheme becomes a link.
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : undefined
}
