import { getSystemErrorMap } from 'node:util'

/** The command line, a file or the configuration is wrong; the message is all that a person needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Source = 'process' | '.env' | '--env-file'

export interface Problem {
  /** Name of a variable, or of what should have held variables: `.env` or `--env-file`. */
  variable: string
  /** Reads on from the name: what is expected and what to do. Never holds a value. */
  message: string
  /** Where the value was found; absent when a value is missing. */
  source?: Source
}

export const describeSource = (source: Source): string =>
  source === 'process' ? 'the process environment' : source

export function formatProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  const width = Math.max(0, ...problems.map(({ variable }) => variable.length))
  return [
    `The configuration has ${count}; nothing was sent.`,
    '',
    ...problems.map(({ variable, message, source }) => {
      const where = source === undefined ? '' : ` (set in ${describeSource(source)})`
      return `  ${variable.padEnd(width)}  ${message}${where}`
    }),
    '',
    'Values were read from the process environment first, then from the file given with --env-file,',
    'or else from .env in the working directory. An empty value counts as not set.',
  ].join('\n')
}

export function joinNames(names: readonly string[], conjunction = 'and'): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

/** The code of an error of the system, such as `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** What the system says of an error, without the path: `no such file or directory (ENOENT)`. */
export function systemReason(error: unknown): string {
  const code = codeOf(error)
  const known = [...getSystemErrorMap().values()].find(([name]) => name === code)
  if (known !== undefined) return `${known[1]} (${code})`
  return error instanceof Error ? error.message : String(error)
}
