import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunReport } from '../conformance/result.ts'
import { startReference } from '../reference/index.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = join(PROJECT, 'lib/cli/plumbline.js')
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs')

/** One run of the whole program. Times in milliseconds. */
interface Measurement {
  requests: number
  /** From the first request sent to the last response received. */
  elapsedMs: number
  /** From the start of the process to its end. */
  wallMs: number
}

function wallTime(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  directory: string,
): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env: environment,
      stdio: 'ignore',
    })
    child.once('error', reject)
    child.once('exit', (status) => {
      if (status === 0) resolve(performance.now() - started)
      else reject(new Error(`node ${args.join(' ')} ended with status ${status}`))
    })
  })
}

async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-benchmark-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Runs Plumbline with these variables added to the environment, and with the arguments that the
 * benchmark was given, such as `--service NAME`.
 *
 * @throws Error when the run does not end with status 0
 */
function measureRun(variables: Record<string, string>): Promise<Measurement> {
  return inTemporaryDirectory(async (directory) => {
    const environment = { ...process.env, ...variables }
    const wallMs = await wallTime(
      ['--', COMMAND, 'run', ...process.argv.slice(2)],
      environment,
      directory,
    )
    const text = await readFile(join(directory, 'reports/report.json'), 'utf8')
    const { exchanges } = JSON.parse(text) as RunReport
    const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt))
    const ends = exchanges.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs)
    return {
      requests: exchanges.length,
      elapsedMs: Math.max(...ends) - Math.min(...starts),
      wallMs,
    }
  })
}

/** Wall time of a Vitest run with one test that does nothing. */
function measureEmptyVitest(): Promise<number> {
  return inTemporaryDirectory(async (directory) => {
    await writeFile(join(directory, 'empty.test.mjs'), "test('nothing', () => {})\n")
    return wallTime([VITEST, 'run', '--globals', '--root', directory], process.env, directory)
  })
}

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
