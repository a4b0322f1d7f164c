import { getSystemErrorMap } from 'node:util'

/** Returns the code of a system error, such as `ENOENT`; otherwise an empty text. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Returns the text of the system for a code, such as `connection refused`; undefined for other codes. */
export const systemMessage = (code: string): string | undefined =>
  [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1]

/** Returns the message of a system error without the path: `no such file or directory (ENOENT)`. */
export function systemReason(error: unknown): string {
  const code = codeOf(error)
  const text = systemMessage(code)
  if (text !== undefined) return `${text} (${code})`
  return error instanceof Error ? error.message : String(error)
}
