import { describeDefect } from '../conformance/judgement.ts'
import type { Redactor } from '../probe/redaction.ts'
import { withoutWorkflowCommands } from '../reports/annotations.ts'
import { printableText } from '../reports/printable.ts'
import type { CliContext } from './context.ts'

/** Of Node.js, when the memory that a thread may use is used up. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** What Vitest says of the end of a thread, whatever caused it. */
const ENDED_THREAD = 'Worker exited unexpectedly'

const memoryAdvice =
  'the run broke off because it ran out of memory: lower PROBE_CONCURRENCY or PROBE_MAX_BODY_BYTES, ' +
  'or allow more (NODE_OPTIONS=--max-old-space-size=4096).'

const WIDTH_WITHOUT_TERMINAL = 100

/**
 * How what goes to the output is set. There are colours on a terminal that knows them, unless somebody
 * does not want any (https://no-color.org).
 *
 * @returns the width in characters
 */
export function terminalOptions({
  output,
  environment,
}: Pick<CliContext, 'output' | 'environment'>): { color: boolean; width: number } {
  const { NO_COLOR = '', TERM } = environment
  return {
    color: output.isTTY === true && NO_COLOR === '' && TERM !== 'dumb',
    width: output.columns ?? WIDTH_WITHOUT_TERMINAL,
  }
}

/** Writes a finished text: on GitHub Actions its lines could be commands. */
export function writeOutput(
  text: string,
  { output, environment }: Pick<CliContext, 'output' | 'environment'>,
): void {
  output.write(environment.GITHUB_ACTIONS === 'true' ? withoutWorkflowCommands(text) : text)
}

/** A text that may quote what a deployment sent, or a secret, as a terminal may show it. */
export function safeForTerminal(text: string, redactor: Redactor): string {
  return withoutWorkflowCommands(printableText(redactor.redact(text)))
}

/** The same of a text in our own words, which may quote what an operator has written. */
export function ownWordsForTerminal(text: string, redactor: Redactor): string {
  return withoutWorkflowCommands(printableText(redactor.redactOwnWords(text)))
}

/** What went wrong in Plumbline itself, for standard error: each defect once. */
export function defectsText(defects: readonly string[], redactor: Redactor): string {
  const outOfMemory = defects.some((defect) => defect.includes(OUT_OF_MEMORY))
  const others = outOfMemory
    ? defects.filter((defect) => !defect.includes(OUT_OF_MEMORY) && !defect.includes(ENDED_THREAD))
    : defects
  return [
    ...(outOfMemory ? [`plumbline: ${memoryAdvice}\n`] : []),
    ...[...new Set(others)].map((defect) => {
      const told = safeForTerminal(defect, redactor)
      return `plumbline: a defect of Plumbline itself; please report it: ${told}\n`
    }),
  ].join('')
}

/** The same for an error that ends the process. */
export function fatalText(error: unknown, redactor: Redactor): string {
  return defectsText([describeDefect(error)], redactor)
}
