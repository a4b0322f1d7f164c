import type { Exchange } from '../probe/exchange.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import type { InspectedPart } from '../results/run-report.ts'
import { findJsonValue } from '../text/json-pointer.ts'

const MAX_VALUE_CHARS = 2000

/** Returns an inspected part with its redacted value, if the report keeps only the beginning of the body. */
function withUnkeptValue<Part extends InspectedPart | undefined>(
  part: Part,
  exchange: Exchange | undefined,
  redact: (text: string) => string,
): Part {
  if (part === undefined || !('pointer' in part) || exchange === undefined) return part
  const isKept = exchange.record.response?.bodyKept === undefined
  if (isKept || exchange.minLength !== undefined) return part
  const place = findJsonValue(exchange.text, part.pointer)
  if (place?.isExact !== true || place.end - place.start > MAX_VALUE_CHARS) return part
  return { ...part, value: redact(exchange.text.slice(place.start, place.end)) }
}

/** Returns a result with the values that its deviations are about, if the report does not keep them otherwise. */
export function withUnkeptValues(
  result: CheckResult,
  exchanges: readonly Exchange[],
  redact: (text: string) => string,
): CheckResult {
  const { reads, deviations } = result
  const withValue = <Part extends InspectedPart | undefined>(part: Part, id = '') =>
    withUnkeptValue(part, part && exchanges.find((one) => one.id === id), redact)
  return {
    ...result,
    ...(reads && { reads: withValue(reads, result.exchanges[0]) }),
    ...(deviations && {
      deviations: deviations.map((one) => ({
        ...one,
        ...(one.reads && { reads: withValue(one.reads, one.exchange) }),
      })),
    }),
  }
}
