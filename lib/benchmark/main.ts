import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunReport } from '../conformance/result.ts'
import { startReference } from '../reference/index.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = join(PROJECT, 'lib/cli/plumbline.js')
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs')

const LATENCY_MS = 100
const CONCURRENCY = 8
const UNBOUNDED = 1000
const REPETITIONS = 7

const folder = mkdtempSync(join(tmpdir(), 'plumbline-benchmark-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Milliseconds from the start of a process to its end. @throws Error unless its status is 0 */
async function wallTime(args: readonly string[], cwd: string, variables: object = {}) {
  const started = performance.now()
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with status ${status}`)
  return performance.now() - started
}

/** Runs the whole program, with the arguments of the benchmark, such as `--service NAME`. */
async function measureRun(variables: object = {}) {
  const directory = mkdtempSync(join(folder, 'run-'))
  const args = ['--', COMMAND, 'run', ...process.argv.slice(2)]
  const wallMs = await wallTime(args, directory, variables)
  const text = readFileSync(join(directory, 'reports/report.json'), 'utf8')
  const { exchanges } = JSON.parse(text) as RunReport
  const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt))
  const ends = exchanges.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs)
  // From the first request sent to the last response received.
  const roundTrips = (Math.max(...ends) - Math.min(...starts)) / LATENCY_MS
  return { requests: exchanges.length, roundTrips, wallMs }
}

async function withLatency(concurrency: number) {
  const reference = await startReference({ latencyMs: LATENCY_MS })
  try {
    return await measureRun({ ...reference.environment, PROBE_CONCURRENCY: String(concurrency) })
  } finally {
    await reference.close()
  }
}

function line(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

const bounded = await withLatency(CONCURRENCY)
// With as many connections as it likes, a run takes as long as its longest chain.
const chain = Math.floor((await withLatency(UNBOUNDED)).roundTrips)
const share = bounded.requests / CONCURRENCY
const bound = Math.max(chain, share)
line('latency', `${LATENCY_MS} ms`)
line('requests', String(bounded.requests))
line(
  `first request to last, concurrency ${CONCURRENCY}`,
  `${bounded.roundTrips.toFixed(1)} round trips`,
)
line('longest chain of requests', `${chain} round trips`)
line('requests ÷ concurrency', `${share.toFixed(1)} round trips`)
line('bound, the longer of the two', `${bound.toFixed(1)} round trips`)
line('ratio to the bound', (bounded.roundTrips / bound).toFixed(2))
line('whole process', seconds(bounded.wallMs))

const empty = mkdtempSync(join(folder, 'empty-'))
writeFileSync(join(empty, 'empty.test.mjs'), "test('nothing', () => {})\n")
const runs: number[] = []
const emptyRuns: number[] = []
// By turns, so that whatever else the machine does meanwhile weighs on both alike.
for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
  emptyRuns.push(await wallTime([VITEST, 'run', '--globals', '--root', empty], empty))
  runs.push((await measureRun()).wallMs)
}
line(`whole process without latency, median of ${REPETITIONS}`, seconds(median(runs)))
line(`empty Vitest run, median of ${REPETITIONS}`, seconds(median(emptyRuns)))
line('ratio to the empty Vitest run', (median(runs) / median(emptyRuns)).toFixed(2))
