import { createInterface } from 'node:readline/promises'
import type { PoolRunnerInitializer } from 'vitest/node'
import packageJson from '../../package.json' with { type: 'json' }
import { Redactor } from '../probe/redaction.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { secretSettings } from './services.ts'

/** Version of Plumbline. */
export const version: string = packageJson.version

/** The command line or the configuration is wrong; the message is all that a person needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Where a command runs: what it reads, where it writes, and what stops it. */
export interface CliContext {
  environment: NodeJS.ProcessEnv
  /** Where `.env` is looked for, and where relative paths begin. */
  directory: string
  /** For the summary. */
  output: ProgressStream
  /** For the progress and for what is wrong. */
  errors: ProgressStream
  /** Knows what must not be written to either. */
  redactor: Redactor
  /** Resolves when the command is to stop; called when there is something to interrupt. */
  interruption: (notice?: string, signals?: readonly NodeJS.Signals[]) => Promise<unknown>
  /** Resolves with whether the person at the terminal agrees; absent where nobody can be asked. */
  confirm?: (question: string, interruption: AbortSignal) => Promise<boolean>
  /** Where the suites run; a thread of their own unless many runs share one. */
  pool?: PoolRunnerInitializer
}

const never = new Promise<never>(() => {})

/**
 * Milliseconds in which a signal counts as the same: Ctrl-C reaches every process of a terminal, and
 * npm hands it on to those that it started once more.
 */
const SAME_SIGNAL_MS = 100

const INTERRUPTED_STATUS = 3

const RUN_NOTICE = 'Interrupted: taking away what was made. Once more to stop at once.'

/** Resolves when the process is asked to stop, and says so; asked once more, the process ends. */
export function askedToStop(
  notice = RUN_NOTICE,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const onSignal = () => {
      if (asked !== undefined && performance.now() - asked < SAME_SIGNAL_MS) return
      if (asked !== undefined) process.exit(INTERRUPTED_STATUS)
      asked = performance.now()
      process.stderr.write(`\n${notice}\n`)
      resolve()
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

/** Anything but a plain yes is a no: the end of the input and Ctrl-C too. */
async function askAtTerminal(question: string, interruption: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.once('SIGINT', () => lines.close())
    interruption.addEventListener('abort', () => lines.close(), { once: true })
  })
  try {
    const answer = await Promise.race([lines.question(question), ended])
    // Without an answer the cursor is still behind the question.
    if (answer === '') process.stderr.write('\n')
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

/** Knows the secrets of an environment. */
export function redactorFor(environment: NodeJS.ProcessEnv): Redactor {
  const redactor = new Redactor()
  for (const { name, value } of secretSettings(environment)) redactor.add(name, value)
  return redactor
}

/** That of the command that a person, or a job, has started. */
export function processContext(): CliContext {
  return {
    environment: process.env,
    directory: process.cwd(),
    output: process.stdout,
    errors: process.stderr,
    redactor: redactorFor(process.env),
    interruption: askedToStop,
    ...(process.stdin.isTTY ? { confirm: askAtTerminal } : {}),
  }
}

/** That of a run within another command: it reads no configuration, and what it writes is kept. */
export function enclosedContext(
  directory: string,
  pool?: PoolRunnerInitializer,
): CliContext & { told: { output: string; errors: string } } {
  const told = { output: '', errors: '' }
  const keep = (name: keyof typeof told) => ({
    write: (text: string) => {
      told[name] += text
    },
  })
  return {
    environment: {},
    directory,
    output: keep('output'),
    errors: keep('errors'),
    redactor: new Redactor(),
    interruption: () => never,
    ...(pool === undefined ? {} : { pool }),
    told,
  }
}
