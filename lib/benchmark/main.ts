import { spawn } from 'node:child_process'
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

/** Ends with the status of the command. */
function run(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

/**
 * Runs Plumbline against a reference deployment that answers late, with the arguments that the
 * benchmark was given, such as `--service NAME`. Round trips are counted from the first request sent
 * to the last response received.
 *
 * @throws Error when the run does not end with status 0
 */
async function measure(concurrency: number) {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-benchmark-'))
  const reference = await startReference({ latencyMs: LATENCY_MS })
  try {
    const variables = { ...reference.environment, PROBE_CONCURRENCY: String(concurrency) }
    const started = performance.now()
    const args = ['--', COMMAND, 'run', ...process.argv.slice(2)]
    const status = await run(args, directory, { ...process.env, ...variables })
    const wallMs = performance.now() - started
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with status ${status}`)
    const text = await readFile(join(directory, 'reports/report.json'), 'utf8')
    const { exchanges } = JSON.parse(text) as RunReport
    const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt))
    const ends = exchanges.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs)
    const roundTrips = (Math.max(...ends) - Math.min(...starts)) / LATENCY_MS
    return { requests: exchanges.length, roundTrips, wallMs }
  } finally {
    await reference.close()
    await rm(directory, { recursive: true, force: true })
  }
}

function line(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`)
}

const roundTripsText = (count: number) => `${count.toFixed(1)} round trips`

const { requests, roundTrips, wallMs } = await measure(CONCURRENCY)
// With as many connections as it likes, a run takes as long as its longest chain.
const chain = Math.floor((await measure(UNBOUNDED)).roundTrips)
const share = requests / CONCURRENCY
const bound = Math.max(chain, share)

line('latency', `${LATENCY_MS} ms`)
line('requests', String(requests))
line(`first request to last, concurrency ${CONCURRENCY}`, roundTripsText(roundTrips))
line('longest chain of requests', roundTripsText(chain))
line('requests ÷ concurrency', roundTripsText(share))
line('bound, the longer of the two', roundTripsText(bound))
line('ratio to the bound', (roundTrips / bound).toFixed(2))
line('whole process', `${(wallMs / 1000).toFixed(2)} s`)
