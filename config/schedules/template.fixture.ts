import { readFileSync } from 'node:fs'

/** The text of a template of this folder. */
export function template(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
