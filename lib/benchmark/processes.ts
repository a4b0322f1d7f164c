import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-benchmark-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Creates a temporary folder, deleted on exit. @param files contents by file name */
export function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(folder, 'at-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

/** Command line; the first argument is the program. */
export interface Command {
  args: readonly string[]
  cwd: string
  variables?: Readonly<Record<string, string>>
}

/** Runs a command and returns its duration in milliseconds. @throws Error unless its status is 0 */
export async function wallTime({ args, cwd, variables }: Command): Promise<number> {
  const started = performance.now()
  const [program = '', ...others] = args
  const env = { ...process.env, ...variables }
  const child = spawn(program, others, { cwd, env, stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${args.join(' ')} ended with status ${status}`)
  return performance.now() - started
}

/** Returns the maximum resident memory of a Node.js command in bytes, including worker threads. */
export async function peakMemory({ args, ...options }: Command): Promise<number> {
  const directory = createFolder({
    'report-peak.cjs': `
      if (require('node:worker_threads').isMainThread) process.on('exit', () => {
        const { maxRSS } = process.resourceUsage()
        require('node:fs').writeFileSync(__dirname + '/peak', String(maxRSS))
      })`,
  })
  const [node = '', ...others] = args
  const command = [node, '--require', join(directory, 'report-peak.cjs'), ...others]
  // On Linux the maximum includes the memory of the parent at the fork, which is small for a shell.
  await wallTime({ args: ['sh', '-c', '"$@"; exit $?', 'sh', ...command], ...options })
  return Number(readFileSync(join(directory, 'peak'), 'utf8')) * 1024
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Measures alternately, so that other load affects all measurements equally, and returns the medians by name. */
export async function interleavedMedians<Name extends string>(
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
