import { createHash } from 'node:crypto'

/** Ids of W3C Trace Context: 32 and 16 lower-case hexadecimal digits. */
interface TraceIds {
  traceId: string
  parentId: string
}

/** Returns the ids of an exchange: the first digits of the SHA-256 of `RUN/EXCHANGE`, so that readers can compute them. */
export function traceIdsOf(runId: string, exchangeId: string): TraceIds {
  const digits = createHash('sha256').update(`${runId}/${exchangeId}`).digest('hex')
  return { traceId: digits.slice(0, 32), parentId: digits.slice(32, 48) }
}

/** Returns the value of `traceparent`, version 00, with the flag `sampled`. */
export const traceparentOf = ({ traceId, parentId }: TraceIds) => `00-${traceId}-${parentId}-01`
