import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
const variables = { ...slow.environment, PROBE_CONCURRENCY: String(CONCURRENCY) }
// With the arguments of the benchmark, such as `--service NAME`.
const run = [...PLUMBLINE, 'run', ...process.argv.slice(2)]
const [runs, peers]: [number[], number[]] = [[], []]
let requests = 0
// Alternately, so that other load affects both equally.
for (let round = 0; round < ROUNDS; round += 1) {
  const before = slow.requests()
  runs.push(await wallTime(run, variables))
  requests = slow.requests() - before
  peers.push(await measurePeer(requests, slow.baseUrl))
}
await slow.close()
const bound = (requests / CONCURRENCY) * LATENCY_MS
const [whole, peer] = [median(runs), median(peers)]
const rows: [name: string, milliseconds: number, ratio?: number][] = [
  ['bound: requests ÷ concurrency', bound],
  ['Vitest tests with fetch, as many as requests; ratio to the bound', peer, peer / bound],
  ['whole run; ratio to these tests', whole, whole / peer],
]
const title = `${requests} requests at ${LATENCY_MS} ms latency and concurrency ${CONCURRENCY}, median of ${ROUNDS}`
const lines = rows.map(([name, time, ratio]) =>
  [name.padEnd(66), seconds(time).padStart(8), ratio?.toFixed(2).padStart(7)].join(''),
)
process.stdout.write(`${[title, ...lines].join('\n')}\n`)
