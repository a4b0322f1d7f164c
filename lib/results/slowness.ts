import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { RunReport } from './run-report.ts'

/** Times of a run with slow responses, in milliseconds. */
interface Slowness {
  responseMs: number
  /** Time with at least one request under way. */
  waitingMs: number
  runMs: number
}

/** Minimum median of slow responses. A loaded server on one machine with Plumbline has about 300. */
const MIN_SLOW_RESPONSE_MS = 1000

/** Returns the length of the union of the intervals in which requests were under way. */
function waitingTime(exchanges: readonly ExchangeRecord[], start: number, finish: number): number {
  const intervals = exchanges
    .map(({ startedAt, durationMs }) => {
      const from = Date.parse(startedAt)
      return { from, to: Math.min(from + durationMs, finish) }
    })
    .sort((one, other) => one.from - other.from)
  let [total, end] = [0, start]
  for (const { from, to } of intervals) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return total
}

/** Returns the times of a run if most of it was waiting for slow responses; else undefined. */
export function slownessOf({
  run,
  exchanges,
}: {
  run: Pick<RunReport['run'], 'startedAt' | 'finishedAt'>
  exchanges: readonly ExchangeRecord[]
}): Slowness | undefined {
  const durations = exchanges
    .flatMap(({ response, durationMs }) => (response === null ? [] : durationMs))
    .sort((one, other) => one - other)
  const responseMs = durations[Math.floor((durations.length - 1) / 2)] ?? 0
  if (responseMs < MIN_SLOW_RESPONSE_MS) return undefined
  const [start, finish] = [Date.parse(run.startedAt), Date.parse(run.finishedAt)]
  const waitingMs = waitingTime(exchanges, start, finish)
  const runMs = finish - start
  return waitingMs * 2 > runMs ? { responseMs, waitingMs, runMs } : undefined
}
