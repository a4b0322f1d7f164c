import { basename, isAbsolute, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { describeInternalError } from '../conformance/run-check.ts'
import { shellWord } from '../probe/curl.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { NPM_SCRIPT } from '../reports/report-text.ts'
import { printableText, withoutWorkflowCommands } from '../text/printable.ts'
import { secretSettings, variables } from './services.ts'
import type { Suites } from './suite-runner.ts'

export { UsageError } from '../text/usage-error.ts'

export const version: string = packageJson.version

export interface CliContext {
  environment: NodeJS.ProcessEnv
  /** Folder of `.env` and base of relative paths. */
  directory: string
  /** How Plumbline was started, for printed commands. */
  program: string
  output: ProgressStream
  errors: ProgressStream
  /** Removes secrets from texts for both streams. */
  redactor: Redactor
  /** Resolves on the first signal and prints the notice. */
  interruption: (notice: string) => Promise<unknown>
  /** Resolves to true if the operator agrees; undefined if standard input is not a terminal. */
  confirm?: (question: string, interruption: AbortSignal) => Promise<boolean>
  suites?: Suites
}

/** Listeners for uncaught exceptions. While the set is not empty, an uncaught exception does not end the process. */
export const uncaughtListeners = new Set<(error: unknown) => void>()

export const ERROR_EXIT_CODE = 3

/** Resolves on the first signal and prints the notice; a second signal ends the process. */
export function waitForInterruption(notice: string): Promise<void> {
  return new Promise((resolve) => {
    let interruptedAt: number | undefined
    const onSignal = () => {
      // Ctrl-C also reaches npm, which sends the signal again.
      if (interruptedAt !== undefined && performance.now() - interruptedAt < 100) return
      if (interruptedAt !== undefined) process.exit(3)
      interruptedAt = performance.now()
      process.stderr.write(`\n${notice}\n`)
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  })
}

/** Returns true only for y or yes; the end of the input and Ctrl-C mean no. */
async function confirmAtTerminal(question: string, interruption: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: question })
  interruption.addEventListener('abort', () => lines.close(), { once: true })
  lines.prompt()
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
    // The cursor is still in the line of the question.
    process.stderr.write('\n')
    return false
  } finally {
    // The loop leaves the interface open, which would consume Ctrl-C.
    lines.close()
  }
}

/** Writes a text, on GitHub Actions and Azure Pipelines without commands to them. */
export function writeOutput(text: string, { output, environment }: CliContext): void {
  const { GITHUB_ACTIONS, TF_BUILD = '' } = environment
  const obeysLog = GITHUB_ACTIONS === 'true' || /^true$/i.test(TF_BUILD)
  output.write(obeysLog ? withoutWorkflowCommands(text) : text)
}

/** Makes a text that may quote a response or a secret safe for the terminal. */
export const safeForTerminal = (text: string, redactor: Redactor) =>
  withoutWorkflowCommands(printableText(redactor.redact(text)))

/** Makes a message of Plumbline that may quote the operator's input safe for the terminal. */
export const terminalMessage = (text: string, redactor: Redactor) =>
  withoutWorkflowCommands(printableText(redactor.redactMessage(text)))

type ErrorOutput = Pick<CliContext, 'errors' | 'redactor'>

export function logError(sentence: string, { errors, redactor }: ErrorOutput): void {
  errors.write(`plumbline: ${safeForTerminal(sentence, redactor)}\n`)
}

export function logInternalErrors(errors: readonly unknown[], output: ErrorOutput): void {
  for (const error of new Set(errors.map(describeInternalError))) {
    logError(`internal error, please report it: ${error}`, output)
  }
}

export function redactorFor(environment: NodeJS.ProcessEnv): Redactor {
  const redactor = new Redactor()
  const publicVariables = variables.filter(({ secret }) => !secret)
  redactor.addNames(publicVariables.flatMap(({ name }) => environment[name] ?? []))
  for (const { name, value } of secretSettings(environment)) redactor.add(name, value)
  return redactor
}

export function processContext(): CliContext {
  const directory = process.cwd()
  const program = programOf(process.env, process.argv[1] ?? '', directory)
  return {
    environment: process.env,
    directory,
    program,
    output: process.stdout,
    errors: process.stderr,
    redactor: redactorFor(process.env),
    interruption: waitForInterruption,
    ...(process.stdin.isTTY ? { confirm: confirmAtTerminal } : {}),
  }
}

/** Returns the command that starts Plumbline again in the same way. @param script second element of `process.argv` */
export function programOf(
  { npm_lifecycle_event: event = '', npm_package_name: owner }: NodeJS.ProcessEnv,
  script: string,
  directory: string,
): string {
  const name = basename(script)
  // A script of another package may add options.
  const isScript = owner === packageJson.name && ['start', 'plumbline'].includes(event)
  // Otherwise it is Vitest, whose configuration only a checkout has.
  if (isScript || !name.startsWith(packageJson.name)) return NPM_SCRIPT
  // The dashes keep options from Node.js, which reads --env-file too.
  if (event === 'npx') return `npx -- ${packageJson.name}`
  const short = relative(directory, script)
  const path = shellWord(short.startsWith('..') || isAbsolute(short) ? script : short)
  return name.endsWith('.js') ? `node -- ${path}` : path
}
