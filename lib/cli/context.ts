import { createInterface } from 'node:readline/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { describeInternalError } from '../conformance/run-check.ts'
import { printableText, withoutWorkflowCommands } from '../conformance/safe-text.ts'
import { Redactor } from '../probe/redaction.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { secretSettings, variables } from './services.ts'
import type { Suites } from './suite-runner.ts'

export { UsageError } from '../environment/errors.ts'

export const version: string = packageJson.version

/** Where a command runs: what it reads, where it writes, and what stops it. */
export interface CliContext {
  environment: NodeJS.ProcessEnv
  /** Where `.env` is looked for, and where relative paths begin. */
  directory: string
  output: ProgressStream
  errors: ProgressStream
  /** Knows what must not be written to either. */
  redactor: Redactor
  /** Resolves when the command is to stop. */
  interruption: (notice?: string, signals?: readonly NodeJS.Signals[]) => Promise<unknown>
  /** Resolves with whether the person at the terminal agrees; absent where nobody can be asked. */
  confirm?: (question: string, interruption: AbortSignal) => Promise<boolean>
  /** Where the suites run, if they are loaded already. */
  suites?: Suites
}

/** Who hears of errors that nobody catches, in place of the end of the process. */
export const uncaughtListeners = new Set<(error: unknown) => void>()

/** Of a defect of Plumbline. */
export const DEFECT_STATUS = 3

/** Resolves when the process is asked to stop, and says so; asked once more, the process ends. */
export function askedToStop(
  notice = 'Interrupted: taking away what was made. Once more to stop at once, and to leave that to ' +
    '"plumbline sweep".',
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const onSignal = () => {
      // Ctrl-C reaches npm too, which hands it on once more.
      if (asked !== undefined && performance.now() - asked < 100) return
      if (asked !== undefined) process.exit(3)
      asked = performance.now()
      process.stderr.write(`\n${notice}\n`)
      resolve()
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

/** Anything but a plain yes is a no: the end of the input and Ctrl-C too. */
async function askAtTerminal(question: string, interruption: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: question })
  interruption.addEventListener('abort', () => lines.close(), { once: true })
  lines.prompt()
  try {
    for await (const answer of lines) return /^y(es)?$/i.test(answer.trim())
    // Without an answer the cursor is still behind the question.
    process.stderr.write('\n')
    return false
  } finally {
    // Leaving the loop keeps it open, and Ctrl-C would go to it.
    lines.close()
  }
}

type Output = Pick<CliContext, 'output' | 'environment'>

/** There are colours on a terminal that knows them, unless unwanted (https://no-color.org). */
export function terminalOptions({ output, environment }: Output) {
  const { NO_COLOR = '', TERM } = environment
  const color = output.isTTY === true && NO_COLOR === '' && TERM !== 'dumb'
  return { color, width: output.columns ?? 100 }
}

/** Writes a finished text: on GitHub Actions its lines could be commands. */
export function writeOutput(text: string, { output, environment }: Output): void {
  output.write(environment.GITHUB_ACTIONS === 'true' ? withoutWorkflowCommands(text) : text)
}

/** A text that may quote what a deployment sent, or a secret. */
export function safeForTerminal(text: string, redactor: Redactor): string {
  return withoutWorkflowCommands(printableText(redactor.redact(text)))
}

/** The same of a text in our own words, which may quote what an operator has written. */
export function terminalMessage(text: string, redactor: Redactor): string {
  return withoutWorkflowCommands(printableText(redactor.redactOwnWords(text)))
}

type ErrorOutput = Pick<CliContext, 'errors' | 'redactor'>

export function logError(sentence: string, { errors, redactor }: ErrorOutput): void {
  errors.write(`plumbline: ${safeForTerminal(sentence, redactor)}\n`)
}

/** Tells what went wrong in Plumbline itself: each defect once. */
export function logInternalErrors(defects: readonly unknown[], place: ErrorOutput): void {
  for (const defect of new Set(defects.map(describeInternalError))) {
    logError(`a defect of Plumbline itself; please report it: ${defect}`, place)
  }
}

export function redactorFor(environment: NodeJS.ProcessEnv): Redactor {
  const redactor = new Redactor()
  const shown = variables.filter(({ secret }) => !secret)
  redactor.addNames(shown.flatMap(({ name }) => environment[name] ?? []))
  for (const { name, value } of secretSettings(environment)) redactor.add(name, value)
  return redactor
}

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
export function createNestedContext(directory: string, suites?: Suites) {
  const reported = { output: '', errors: '' }
  const keep = (name: keyof typeof reported) => ({
    write: (text: string) => {
      reported[name] += text
    },
  })
  return {
    environment: {},
    directory,
    output: keep('output'),
    errors: keep('errors'),
    redactor: new Redactor(),
    interruption: () => new Promise<never>(() => {}),
    ...(suites === undefined ? {} : { suites }),
    reported,
  } satisfies CliContext & { reported: object }
}
