import { getSystemErrorMap } from 'node:util'

/** Returns the code of a system error, such as `ENOENT`; otherwise an empty text. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Returns the message of a system error without the path: `no such file or directory (ENOENT)`. */
export function systemReason(error: unknown): string {
  const code = codeOf(error)
  const entry = [...getSystemErrorMap().values()].find(([name]) => name === code)
  if (entry !== undefined) return `${entry[1]} (${code})`
  return error instanceof Error ? error.message : String(error)
}
