import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { startReference } from '../reference/index.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { services } from './services.ts'

/** The command of this checkout. */
export const COMMAND = fileURLToPath(new URL('plumbline.js', import.meta.url))

/** What a command of Plumbline left: its exit status, its output, and its reports where it wrote any. */
export interface CommandOutcome {
  status: number | null
  output: string
  /** The output on one line, as a person reads it across line breaks. */
  text: string
  errors: string
  /** Throws when none was written. */
  readonly report: RunReport
  reportText: string
  junit: string
  /** Where it ran; its reports are in `reports/`. */
  directory: string
}

/** The environment of a test, without what would configure Plumbline, its colours, npm or its CI server. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const prefixes = Object.values(services).map(({ variables }) => variables.prefix)
  const isOurs = (name: string) =>
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    /^(PROBE|GITHUB|npm)_|^(NO_COLOR|FORCE_COLOR|CI)$/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
}

const cleanups: (() => unknown)[] = []

/** Takes away what the tests of a file have left. */
export async function cleanUp(): Promise<void> {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
}

/** Runs when the tests of the file have ended. Tests that run at the same time need it so. */
export function atTheEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

/** An empty directory that goes in the end. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  atTheEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** The variables for a run against a reference deployment, which ends with the tests. */
export async function referenceEnvironment(
  options: Parameters<typeof startReference>[0] = {},
): Promise<Record<string, string>> {
  const reference = await import('../reference/index.ts')
  const { environment, close } = await reference.startReference(options)
  atTheEnd(close)
  return environment
}

/** What a command left that ran in this directory. */
export function outcomeOf(
  directory: string,
  reported: Pick<CommandOutcome, 'status' | 'output' | 'errors'>,
): CommandOutcome {
  const read = (name: string) => {
    const path = join(directory, 'reports', name)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const reportText = read('report.json')
  let report: RunReport | undefined
  return {
    ...reported,
    text: reported.output.replace(/\s+/g, ' '),
    reportText,
    junit: read('junit.xml'),
    directory,
    get report(): RunReport {
      if (reportText === '')
        throw new Error(`there is no report: ${reported.status} ${reported.errors}`)
      report ??= JSON.parse(reportText) as RunReport
      return report
    },
  }
}

/**
 * Runs the command as a user does, in an empty directory.
 *
 * @param started is handed the process, to send it a signal
 * @param command of another copy of the project
 */
export async function plumbline(
  args: readonly string[],
  environment: Record<string, string> = {},
  started: (child: ChildProcess) => void = () => {},
  command: string = COMMAND,
): Promise<CommandOutcome> {
  const directory = temporaryDirectory()
  const child = spawn(process.execPath, ['--', command, ...args], {
    cwd: directory,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const reported = { output: '', errors: '' }
  child.stdout.on('data', (chunk) => {
    reported.output += chunk
  })
  child.stderr.on('data', (chunk) => {
    reported.errors += chunk
  })
  started(child)
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return outcomeOf(directory, { status, ...reported })
}

/** Calls back once, as soon as the process says this on standard error. */
export function onErrorOutput(child: ChildProcess, text: string, then: () => void): void {
  let said = ''
  const listen = (chunk: unknown) => {
    said += String(chunk)
    if (!said.includes(text)) return
    child.stderr?.off('data', listen)
    then()
  }
  child.stderr?.on('data', listen)
}

/** The names of the files that a run left in its reports directory. */
export function filesOf({ directory }: Pick<CommandOutcome, 'directory'>): string[] {
  return readdirSync(join(directory, 'reports')).sort()
}

/** Ids of the results with a verdict. */
export function withVerdict(
  { report }: Pick<CommandOutcome, 'report'>,
  verdict: RequirementResult['verdict'],
): string[] {
  return report.results.filter((result) => result.verdict === verdict).map((r) => r.requirement)
}

/** Reasons of the results with a verdict. */
export function reasonsOf(
  { report }: Pick<CommandOutcome, 'report'>,
  verdict: RequirementResult['verdict'],
): string[] {
  return report.results.flatMap((result) =>
    result.verdict === verdict ? [result.reason ?? ''] : [],
  )
}

/** The result of one requirement. */
export function resultOf(
  { report }: Pick<CommandOutcome, 'report'>,
  id: string,
): RequirementResult {
  const result = report.results.find(({ requirement }) => requirement === id)
  if (result === undefined) throw new Error(`there is no result for ${id}`)
  return result
}
