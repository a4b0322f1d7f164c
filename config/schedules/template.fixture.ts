import { readFileSync } from 'node:fs'

export function template(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
