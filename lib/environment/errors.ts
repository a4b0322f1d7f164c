import { counted } from '../text/quantities.ts'

/** Thrown for an error in the command line, a file or the configuration. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Source = 'process' | '.env' | '--env-file'

/** Texts of the variables that are set, by name. */
export type SetTexts = Map<string, { text: string; source: Source }>

export interface Problem {
  /** Name of a variable, or `.env` or `--env-file`. */
  variable: string
  /** Completes a sentence that begins with the name: the problem and what to do. Never contains a value. */
  message: string
  source?: Source | undefined
}

export function formatProblems(problems: readonly Problem[]): string {
  const width = Math.max(0, ...problems.map(({ variable }) => variable.length))
  return [
    `The configuration has ${counted(problems.length, 'problem')}. Nothing was sent.`,
    '',
    ...problems.map(({ variable, message, source }) => {
      const place = source === 'process' ? 'the process environment' : source
      return `  ${variable.padEnd(width)}  ${message}${place ? ` (set in ${place})` : ''}`
    }),
  ].join('\n')
}
