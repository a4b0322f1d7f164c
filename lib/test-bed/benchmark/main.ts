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

/** Creates a temporary folder, deleted on exit. @param files contents by file name */
function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(folder, 'at-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

/** Command line; the first argument is the program. */
interface Command {
  args: readonly string[]
  cwd: string
  variables?: Readonly<Record<string, string>>
}

/** Runs a command and returns its duration in milliseconds. @throws Error unless its status is 0 */
async function wallTime({ args, cwd, variables }: Command): Promise<number> {
  const started = performance.now()
  const [program = '', ...others] = args
  const env = { ...process.env, ...variables }
  const child = spawn(program, others, { cwd, env, stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${args.join(' ')} ended with status ${status}`)
  return performance.now() - started
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Measures alternately, so that other load affects all measurements equally, and returns the medians by name. */
async function interleavedMedians<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measurements) as Name[]
  const measured = names.map((name) => ({ name, values: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, values } of measured) values.push(await measurements[name]())
  }
  const entries = measured.map(({ name, values }) => [name, median(values)])
  return Object.fromEntries(entries)
}

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))
const PLUMBLINE = [process.execPath, '--', join(PROJECT, 'lib/cli/plumbline.js')]
const VITEST_MODULE = join(PROJECT, 'node_modules/vitest/vitest.mjs')
const VITEST = [process.execPath, VITEST_MODULE, 'run', '--globals']

const LATENCY_MS = 100
const CONCURRENCY = 8
const UNBOUNDED = 1000
/** Number of measurements; a run with latency varies less. */
const ROUNDS = { latency: 3, noLatency: 7 }

/** Returns a `run` command in a new folder, with the arguments of the benchmark, such as `--service NAME`. */
function runCommand(variables: Record<string, string> = {}) {
  // Without a target, a run has another folder.
  const args = [...PLUMBLINE, 'run', '--reports', 'reports', '--har', ...process.argv.slice(2)]
  return { args, cwd: createFolder(), variables }
}

async function measureRun(variables?: Record<string, string>) {
  const command = runCommand(variables)
  const milliseconds = await wallTime(command)
  // The archive has every exchange.
  const { log }: Har = JSON.parse(readFileSync(join(command.cwd, 'reports/evidence.har'), 'utf8'))
  const starts = log.entries.map(({ startedDateTime }) => Date.parse(startedDateTime))
  const ends = log.entries.map(({ time }, index) => (starts[index] ?? 0) + time)
  // From the first request to the last response.
  const roundTrips = (Math.max(...ends) - Math.min(...starts)) / LATENCY_MS
  return { requests: log.entries.length, roundTrips, milliseconds }
}

/** Returns a measurement of Vitest tests that send the same number of requests and write JUnit. */
function peerMeasurement(requests: number, url: string) {
  const tests = `
    for (let each = 1; each <= ${requests}; each += 1) {
      test.concurrent('request ' + each, async () => {
        const response = await fetch(${JSON.stringify(url)})
        expect(await response.text()).toBeTypeOf('string')
      })
    }`
  const options = [`--maxConcurrency=${CONCURRENCY}`, '--reporter=junit', '--outputFile=junit.xml']
  const vitest = {
    args: [...VITEST, ...options],
    cwd: createFolder({ 'fetch.test.mjs': tests }),
  }
  return {
    [`${requests} Vitest tests with fetch, ${CONCURRENCY} concurrently`]: () => wallTime(vitest),
  }
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

function runAgainst(times: { run: number } & Record<string, number>): Row[] {
  return Object.entries(times).map(([name, time]) => [name, seconds(time), times.run / time])
}

const slow = await startReference({ latencyMs: LATENCY_MS })
const measureSlow = (concurrency: number) =>
  measureRun({ ...slow.environment, PROBE_CONCURRENCY: String(concurrency) })
// With unlimited connections, a run takes as long as its longest chain of requests.
const { requests, roundTrips } = await measureSlow(UNBOUNDED)
const chain = Math.floor(Math.min(roundTrips, (await measureSlow(UNBOUNDED)).roundTrips))
const share = requests / CONCURRENCY
const bound = Math.max(chain, share)
const spans: number[] = []
const { run, ...others } = await interleavedMedians(ROUNDS.latency, {
  run: async () => {
    const measured = await measureSlow(CONCURRENCY)
    spans.push(measured.roundTrips)
    return measured.milliseconds
  },
  ...peerMeasurement(requests, slow.baseUrl),
})
await slow.close()
const span = median(spans)
print(`Requests at ${LATENCY_MS} ms latency and concurrency ${CONCURRENCY}; ratio to the bound`, [
  ['requests', String(requests)],
  ['longest chain of requests', trips(chain, 0)],
  ['requests ÷ concurrency', trips(share)],
  ['bound, the longer of the two', trips(bound)],
  ['first request to last', trips(span), span / bound],
])
print(
  `Whole process with that latency, median of ${ROUNDS.latency}; ratio of the run to each`,
  runAgainst({ run, 'bound of the requests': bound * LATENCY_MS, ...others }),
)

const quick = await startReference()
const empty = { args: VITEST, cwd: createFolder({ 'empty.test.mjs': "test('nothing', () => {})" }) }
const withoutLatency = await interleavedMedians(ROUNDS.noLatency, {
  run: async () => (await measureRun()).milliseconds,
  'empty Vitest run': () => wallTime(empty),
  ...peerMeasurement(requests, quick.baseUrl),
})
await quick.close()
print(
  `Whole process without latency, median of ${ROUNDS.noLatency}; ratio of the run to each`,
  runAgainst(withoutLatency),
)
