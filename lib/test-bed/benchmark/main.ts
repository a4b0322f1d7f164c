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
  const span = Math.max(...ends) - Math.min(...starts)
  return { requests: log.entries.length, span, milliseconds }
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

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

const slow = await startReference({ latencyMs: LATENCY_MS })
const [runs, peers, spans]: [number[], number[], number[]] = [[], [], []]
let requests = 0
// Alternately, so that other load affects both equally.
for (let round = 0; round < ROUNDS; round += 1) {
  const variables = { ...slow.environment, PROBE_CONCURRENCY: String(CONCURRENCY) }
  const measured = await measureRun(variables)
  requests = measured.requests
  runs.push(measured.milliseconds)
  spans.push(measured.span)
  peers.push(await measurePeer(requests, slow.baseUrl))
}
await slow.close()
const [run, peer, span] = [median(runs), median(peers), median(spans)]
const bound = (requests / CONCURRENCY) * LATENCY_MS
const rows: [name: string, milliseconds: number, ratio?: number][] = [
  ['bound: requests ÷ concurrency', bound],
  ['first request to last; ratio to the bound', span, span / bound],
  ['Vitest tests with fetch, as many as requests', peer],
  ['whole run; ratio to these tests', run, run / peer],
]
const title = `${requests} requests at ${LATENCY_MS} ms latency and concurrency ${CONCURRENCY}, median of ${ROUNDS}`
const lines = rows.map(([name, time, ratio]) =>
  [name.padEnd(46), seconds(time).padStart(8), ratio?.toFixed(2).padStart(7)].join(''),
)
process.stdout.write(`${[title, ...lines].join('\n')}\n`)
