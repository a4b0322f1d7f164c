import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Har } from 'har-format'
import { startReference } from '../reference/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-benchmark-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Runs a command and returns its duration in milliseconds. @throws Error unless its status is 0 */
async function wallTime(args: readonly string[], variables = {}): Promise<number> {
  const started = performance.now()
  const options = { cwd: folder, env: { ...process.env, ...variables }, stdio: 'ignore' } as const
  const child = spawn(process.execPath, args, options)
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${args.join(' ')} ended with status ${status}`)
  return performance.now() - started
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))
const PLUMBLINE = ['--', join(PROJECT, 'lib/cli/plumbline.js')]
const VITEST = [join(PROJECT, 'node_modules/vitest/vitest.mjs'), 'run', '--globals']

const LATENCY_MS = 100
const CONCURRENCY = 8
const UNBOUNDED = 1000
const ROUNDS = 3

/** Measures a `run`, with the arguments of the benchmark, such as `--service NAME`. */
async function measureRun(variables: Record<string, string>) {
  const args = [...PLUMBLINE, 'run', '--reports', 'reports', '--har', ...process.argv.slice(2)]
  const milliseconds = await wallTime(args, variables)
  // The archive has every exchange.
  const { log }: Har = JSON.parse(readFileSync(join(folder, 'reports/evidence.har'), 'utf8'))
  const starts = log.entries.map(({ startedDateTime }) => Date.parse(startedDateTime))
  const ends = log.entries.map(({ time }, index) => (starts[index] ?? 0) + time)
  // From the first request to the last response.
  const roundTrips = (Math.max(...ends) - Math.min(...starts)) / LATENCY_MS
  return { requests: log.entries.length, roundTrips, milliseconds }
}

/** Returns the duration of Vitest tests that send the same number of requests and write JUnit. */
function measurePeer(requests: number, url: string): Promise<number> {
  const tests = `
    for (let each = 1; each <= ${requests}; each += 1) {
      test.concurrent('request ' + each, async () => {
        const response = await fetch(${JSON.stringify(url)})
        expect(await response.text()).toBeTypeOf('string')
      })
    }`
  const options = [`--maxConcurrency=${CONCURRENCY}`, '--reporter=junit', '--outputFile=junit.xml']
  writeFileSync(join(folder, 'fetch.test.mjs'), tests)
  return wallTime([...VITEST, ...options])
}

type Row = readonly [name: string, figure: string, ratio?: number]

function print(title: string, rows: readonly Row[]): void {
  const lines = rows.map(([name, figure, ratio]) => {
    const last = ratio === undefined ? '' : ratio.toFixed(2).padStart(8)
    return `  ${name.padEnd(44)}${figure.padStart(18)}${last}\n`
  })
  process.stdout.write(`\n${title}\n${lines.join('')}`)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const trips = (count: number, digits = 1) => `${count.toFixed(digits)} round trips`

const slow = await startReference({ latencyMs: LATENCY_MS })
const measureSlow = (concurrency: number) =>
  measureRun({ ...slow.environment, PROBE_CONCURRENCY: String(concurrency) })
// With unlimited connections, a run takes as long as its longest chain of requests.
const { requests, roundTrips } = await measureSlow(UNBOUNDED)
const chain = Math.floor(Math.min(roundTrips, (await measureSlow(UNBOUNDED)).roundTrips))
const share = requests / CONCURRENCY
const bound = Math.max(chain, share)
const [runs, peers, spans]: [number[], number[], number[]] = [[], [], []]
// Alternately, so that other load affects both equally.
for (let round = 0; round < ROUNDS; round += 1) {
  const measured = await measureSlow(CONCURRENCY)
  runs.push(measured.milliseconds)
  spans.push(measured.roundTrips)
  peers.push(await measurePeer(requests, slow.baseUrl))
}
await slow.close()
const [run, peer, span] = [median(runs), median(peers), median(spans)]
print(`Requests at ${LATENCY_MS} ms latency and concurrency ${CONCURRENCY}; ratio to the bound`, [
  ['requests', String(requests)],
  ['longest chain of requests', trips(chain, 0)],
  ['requests ÷ concurrency', trips(share)],
  ['bound, the longer of the two', trips(bound)],
  ['first request to last', trips(span), span / bound],
])
print(`Whole process with that latency, median of ${ROUNDS}; ratio of the run to each`, [
  ['run', seconds(run)],
  ['bound of the requests', seconds(bound * LATENCY_MS), run / (bound * LATENCY_MS)],
  [`Vitest tests with fetch, ${CONCURRENCY} concurrently`, seconds(peer), run / peer],
])
