/** Returns a service name in kebab case: `twoWords` becomes `two-words`. */
export function toServiceName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export const sectionOf = (id: string) => id.split('/').slice(0, 2).join('/')

export function idParts(id: string): { service: string; section: string; name: string } {
  const [service = '', section = '', ...rest] = id.split('/')
  return { service, section, name: rest.length === 0 ? id : rest.join('/') }
}
