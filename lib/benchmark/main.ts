import { startReference } from '../reference/index.ts'
import { type Measurement, measureEmptyVitest, measureRun } from './measure.ts'

const LATENCY_MS = 100
const CONCURRENCY = 8
const UNBOUNDED = 1000
const REPETITIONS = 7

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Takes turns, so that whatever else the machine does meanwhile weighs on both alike. */
async function medians(...measures: (() => Promise<number>)[]): Promise<number[]> {
  const values: number[][] = measures.map(() => [])
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    for (const [index, measure] of measures.entries()) values[index]?.push(await measure())
  }
  return values.map(median)
}

function line(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const roundTrips = ({ elapsedMs }: Measurement) => elapsedMs / LATENCY_MS

async function withLatency(concurrency: number): Promise<Measurement> {
  const reference = await startReference({ latencyMs: LATENCY_MS })
  try {
    return await measureRun({
      ...reference.environment,
      PROBE_CONCURRENCY: String(concurrency),
    })
  } finally {
    await reference.close()
  }
}

const bounded = await withLatency(CONCURRENCY)
const unbounded = await withLatency(UNBOUNDED)
const sequential = await withLatency(1)

// With as many connections as it likes, a run takes as long as its longest chain.
const chain = Math.floor(roundTrips(unbounded))
const share = bounded.requests / CONCURRENCY
const bound = Math.max(chain, share)

line(`latency`, `${LATENCY_MS} ms`)
line('requests', String(bounded.requests))
line(
  `first request to last, concurrency ${CONCURRENCY}`,
  `${roundTrips(bounded).toFixed(1)} round trips`,
)
line('longest chain of requests', `${chain} round trips`)
line('requests ÷ concurrency', `${share.toFixed(1)} round trips`)
line('bound, the longer of the two', `${bound.toFixed(1)} round trips`)
line('ratio to the bound', (roundTrips(bounded) / bound).toFixed(2))
line('whole process', seconds(bounded.wallMs))
line(
  'the same requests one after the other',
  `${roundTrips(sequential).toFixed(1)} round trips, ${seconds(sequential.wallMs)}`,
)

const [empty = Number.NaN, withoutLatency = Number.NaN] = await medians(
  measureEmptyVitest,
  async () => (await measureRun({})).wallMs,
)
line(`whole process without latency, median of ${REPETITIONS}`, seconds(withoutLatency))
line(`empty Vitest run, median of ${REPETITIONS}`, seconds(empty))
line('ratio to the empty Vitest run', (withoutLatency / empty).toFixed(2))
