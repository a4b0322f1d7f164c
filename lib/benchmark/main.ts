import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunReport } from '../conformance/result.ts'
import { startReference } from '../reference/index.ts'

const COMMAND = fileURLToPath(new URL('../cli/plumbline.js', import.meta.url))
const LATENCY_MS = 100
const CONCURRENCY = 8
const UNBOUNDED = 1000

/** One run of the whole program against a deployment that holds back each response. */
interface Measurement {
  requests: number
  /** From the first request sent to the last response received. */
  roundTrips: number
  /** From the start of the process to its end. */
  seconds: number
}

/**
 * The run gets the arguments that the benchmark was given, such as `--service NAME`.
 *
 * @throws Error when the run does not end with status 0
 */
async function measure(concurrency: number): Promise<Measurement> {
  const reference = await startReference({ latencyMs: LATENCY_MS })
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-benchmark-'))
  try {
    const variables = { ...reference.environment, PROBE_CONCURRENCY: String(concurrency) }
    const started = performance.now()
    const child = spawn(process.execPath, ['--', COMMAND, 'run', ...process.argv.slice(2)], {
      cwd: directory,
      env: { ...process.env, ...variables },
      stdio: 'ignore',
    })
    const [status] = await once(child, 'exit')
    const seconds = (performance.now() - started) / 1000
    if (status !== 0) throw new Error(`the run ended with status ${status}`)
    const text = await readFile(join(directory, 'reports/report.json'), 'utf8')
    const { exchanges } = JSON.parse(text) as RunReport
    const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt))
    const ends = exchanges.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs)
    const roundTrips = (Math.max(...ends) - Math.min(...starts)) / LATENCY_MS
    return { requests: exchanges.length, roundTrips, seconds }
  } finally {
    await reference.close()
    await rm(directory, { recursive: true, force: true })
  }
}

const bounded = await measure(CONCURRENCY)
const unbounded = await measure(UNBOUNDED)
const sequential = await measure(1)

// With as many connections as it likes, a run takes as long as its longest chain.
const chain = Math.floor(unbounded.roundTrips)
const share = bounded.requests / CONCURRENCY
const bound = Math.max(chain, share)

const lines = {
  latency: `${LATENCY_MS} ms`,
  requests: bounded.requests,
  [`first request to last, concurrency ${CONCURRENCY}`]: `${bounded.roundTrips.toFixed(1)} round trips`,
  'longest chain of requests': `${chain} round trips`,
  'requests ÷ concurrency': `${share.toFixed(1)} round trips`,
  'bound, the longer of the two': `${bound.toFixed(1)} round trips`,
  'ratio to the bound': (bounded.roundTrips / bound).toFixed(2),
  'whole process': `${bounded.seconds.toFixed(2)} s`,
  'the same requests one after the other': `${sequential.roundTrips.toFixed(1)} round trips`,
}
for (const [name, value] of Object.entries(lines)) {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`)
}
