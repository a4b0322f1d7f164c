import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-benchmark-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A new folder, which goes with the benchmark, and the files in it: contents by name. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const made = mkdtempSync(join(folder, 'at-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(made, name), content)
  return made
}

/** A process that ends by itself: the arguments begin with the program. */
export interface Command {
  args: readonly string[]
  cwd: string
  variables?: Readonly<Record<string, string>>
}

/**
 * Milliseconds from the start of a process to its end.
 *
 * @throws Error unless its status is 0, and when there is no such program
 */
export async function wallTime({ args, cwd, variables }: Command): Promise<number> {
  const started = performance.now()
  const [program = '', ...others] = args
  const env = { ...process.env, ...variables }
  const child = spawn(program, others, { cwd, env, stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${args.join(' ')} ended with status ${status}`)
  return performance.now() - started
}

export async function isInstalled(program: string): Promise<boolean> {
  try {
    await wallTime({ args: [program, '--version'], cwd: folder })
    return true
  } catch {
    return false
  }
}

/** The most bytes of memory that Node.js had at once, worker threads included, while it ran a command. */
export async function peakMemory({ args, ...where }: Command): Promise<number> {
  const at = makeFolder({
    'tell-peak.cjs': `
      if (require('node:worker_threads').isMainThread) process.on('exit', () => {
        const { maxRSS } = process.resourceUsage()
        require('node:fs').writeFileSync(__dirname + '/peak', String(maxRSS))
      })`,
  })
  const [node = '', ...others] = args
  const telling = [node, '--require', join(at, 'tell-peak.cjs'), ...others]
  // Linux counts the memory of the process that starts another one as memory of that one: a shell has little.
  await wallTime({ args: ['sh', '-c', '"$@"; exit $?', 'sh', ...telling], ...where })
  return Number(readFileSync(join(at, 'peak'), 'utf8')) * 1024
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Medians by name. By turns, so that whatever else the machine does meanwhile weighs on all alike. */
export async function mediansByTurns<Name extends string>(
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
