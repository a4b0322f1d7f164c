import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry } from 'har-format'
import type { RequirementResult, RunReport, Verdict } from '../results/run-report.ts'
import type { startReference } from '../test-bed/reference/index.ts'
import { services } from './services.ts'

export const COMMAND = fileURLToPath(new URL('plumbline.js', import.meta.url))

interface SentMessage {
  headers: { name: string; value: string }[]
  body: string | null
  bodyBytes: number
}

export interface SentExchange {
  id: string
  request: SentMessage & { method: string; url: string }
  response: (SentMessage & { status: number }) | null
}

function toSentExchange({ request, response, comment = '' }: Entry): SentExchange {
  const { method, url, headers, postData, bodySize } = request
  const { status, content } = response
  const body = content.text ?? null
  return {
    id: comment.split(',', 1)[0] ?? '',
    request: { method, url, headers, body: postData?.text ?? null, bodyBytes: bodySize },
    response:
      status === 0 ? null : { status, headers: response.headers, body, bodyBytes: content.size },
  }
}

export interface CommandOutcome {
  status: number | null
  output: string
  /** The output on one line, without line breaks. */
  text: string
  errors: string
  /** Throws when none was written. */
  readonly report: RunReport
  /** All exchanges, as far as `evidence.har` has them. */
  readonly exchanges: SentExchange[]
  reportText: string
  junit: string
  /** Working directory; see `reportsIn`. */
  directory: string
}

/** The environment of a test, without what would configure Plumbline, its colours, npm or its CI server. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const prefixes = Object.values(services).map(({ variables }) => variables.prefix)
  const isOurs = (name: string) =>
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    /^(PROBE|GITHUB|npm)_|^(NO_COLOR|FORCE_COLOR|CI|COLUMNS)$/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
}

const cleanups: (() => unknown)[] = []

export async function cleanUp(): Promise<void> {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
}

/** Registers a cleanup that runs after all tests of the file, which may be concurrent. */
export function atTheEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  atTheEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Starts a reference server for the tests of the file, and returns its variables. */
export async function referenceEnvironment(
  options: Parameters<typeof startReference>[0] = {},
): Promise<Record<string, string>> {
  const reference = await import('../test-bed/reference/index.ts')
  const { environment, close } = await reference.startReference(options)
  atTheEnd(close)
  return environment
}

/** Returns the folder of the reports of the last run, by default the folder of the reference server if it exists. */
export function reportsIn(directory: string): string {
  const reference = join(directory, 'reports', 'reference')
  return existsSync(reference) ? reference : join(directory, 'reports')
}

export function outcomeOf(
  directory: string,
  reported: Pick<CommandOutcome, 'status' | 'output' | 'errors'>,
): CommandOutcome {
  const read = (name: string) => {
    const path = join(reportsIn(directory), name)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const reportText = read('report.json')
  let report: RunReport | undefined
  return {
    ...reported,
    text: reported.output.replace(/\s+/g, ' '),
    get exchanges(): SentExchange[] {
      return JSON.parse(read('evidence.har')).log.entries.map(toSentExchange)
    },
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
 * @param started receives the process, to send it a signal
 * @param command of another copy of the project
 * @param directory working directory; a new one by default
 */
export async function plumbline(
  args: readonly string[],
  environment: Record<string, string> = {},
  started: (child: ChildProcess) => void = () => {},
  command: string = COMMAND,
  directory: string = temporaryDirectory(),
): Promise<CommandOutcome> {
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

/** Calls `then` once, when the process has written this text to standard error. */
export function onErrorOutput(child: ChildProcess, text: string, then: () => void): void {
  let output = ''
  const listen = (chunk: unknown) => {
    output += String(chunk)
    if (!output.includes(text)) return
    child.stderr?.off('data', listen)
    then()
  }
  child.stderr?.on('data', listen)
}

type Reported = Pick<CommandOutcome, 'report'>

export const filesOf = ({ directory }: Pick<CommandOutcome, 'directory'>): string[] =>
  readdirSync(reportsIn(directory)).sort()

const resultsWith = ({ report }: Reported, verdict: Verdict) =>
  report.results.filter((result) => result.verdict === verdict)

export const withVerdict = (outcome: Reported, verdict: Verdict): string[] =>
  resultsWith(outcome, verdict).map(({ requirement }) => requirement)

export const reasonsOf = (outcome: Reported, verdict: Verdict): string[] =>
  resultsWith(outcome, verdict).map(({ reason = '' }) => reason)

export function resultOf({ report }: Reported, id: string): RequirementResult {
  const result = report.results.find(({ requirement }) => requirement === id)
  if (result === undefined) throw new Error(`there is no result for ${id}`)
  return result
}
