import type { PoolRunnerInitializer } from 'vitest/node'
import { Redactor } from '../probe/redaction.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { secretSettings } from '../target/secrets.ts'

/** Where a run takes place: what it reads, where it tells of itself, and what stops it. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv
  /** Where `.env` is looked for, and where relative paths begin. */
  directory: string
  /** For the summary. */
  output: ProgressStream
  /** For the progress and for what is wrong. */
  errors: ProgressStream
  /** Knows what must not be told there. */
  redactor: Redactor
  /** Resolves when the run is to stop; made when there is something to interrupt. */
  interruption: () => Promise<unknown>
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
export function askedToStop(notice = RUN_NOTICE): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const onSignal = () => {
      if (asked !== undefined && performance.now() - asked < SAME_SIGNAL_MS) return
      if (asked !== undefined) process.exit(INTERRUPTED_STATUS)
      asked = performance.now()
      process.stderr.write(`\n${notice}\n`)
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  })
}

/** Those of the command that a person, or a job, has started. */
export function processSurroundings(): Surroundings {
  const redactor = new Redactor()
  for (const { name, value } of secretSettings(process.env)) redactor.add(name, value)
  return {
    environment: process.env,
    directory: process.cwd(),
    output: process.stdout,
    errors: process.stderr,
    redactor,
    interruption: () => askedToStop(),
  }
}

/** Those of a run within another command: it reads no configuration, and what it tells is kept. */
export function enclosedSurroundings(
  directory: string,
  pool?: PoolRunnerInitializer,
): Surroundings & { told: { output: string; errors: string } } {
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
