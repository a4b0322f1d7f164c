import { getSystemErrorMap } from 'node:util'

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
