import { printableSentence } from '../printable.ts'
import { serviceName } from '../run-words.ts'

/** A name of several words for readers: `Code hosting` for `codeHosting` and for `code-hosting`. */
export function spokenName(name: string): string {
  const words = serviceName(name).replaceAll('-', ' ').trim()
  return printableSentence(words.charAt(0).toUpperCase() + words.slice(1))
}

/** The parts of a requirement id: `service/section/name`. */
export function idParts(id: string): { service: string; section: string; name: string } {
  const [service = '', section = '', ...rest] = id.split('/')
  return { service, section, name: rest.length === 0 ? id : rest.join('/') }
}
