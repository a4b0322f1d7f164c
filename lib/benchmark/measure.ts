import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunReport } from '../conformance/result.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = join(PROJECT, 'lib/cli/plumbline.js')
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs')

/** One run of the whole program. Times in milliseconds. */
export interface Measurement {
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
 * benchmark was given, such as `--service code-hosting`.
 *
 * @throws Error when the run does not end with status 0
 */
export function measureRun(variables: Record<string, string>): Promise<Measurement> {
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
export function measureEmptyVitest(): Promise<number> {
  return inTemporaryDirectory(async (directory) => {
    await writeFile(join(directory, 'empty.test.mjs'), "test('nothing', () => {})\n")
    return wallTime([VITEST, 'run', '--globals', '--root', directory], process.env, directory)
  })
}
