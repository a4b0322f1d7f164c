import { readXml, type XmlNode } from '../junit-readers.fixture.ts'

/** Returns a page as XML, without style and script: attributes need a value, and elements an end. */
function toXml(page: string): string {
  return page
    .replace(/^<!doctype html>/, '')
    .replace(/(<(style|script)\b[^>]*>).*?(?=<\/\2>)/gs, '$1')
    .replace(/<[a-z](?:"[^"]*"|[^"<>])*>/g, (tag) => {
      const whole = tag.replace(/ (hidden|open)(?=[ >])/g, ' $1=""')
      return /^<(?:meta|input)\b/.test(tag) ? whole.replace(/>$/, '/>') : whole
    })
}

const withDescendants = (node: XmlNode): XmlNode[] => [
  node,
  ...node.children.flatMap(withDescendants),
]

/** Returns the elements of a page, in order. @throws XmlParseError for a stray `<` or an element that is not closed */
export const pageTags = (page: string): XmlNode[] => withDescendants(readXml(toXml(page)))

export const pageText = (page: string): string => readXml(toXml(page)).text

/** All values of `id`, in order. */
export function ids(tags: readonly XmlNode[]): string[] {
  return tags.flatMap(({ attributes }) => attributes.id ?? [])
}

/** Everything that leads or loads from somewhere. */
export function references(tags: readonly XmlNode[]): string[] {
  const names = ['href', 'src', 'action', 'data', 'srcset', 'poster']
  return tags.flatMap(({ attributes }) => names.flatMap((name) => attributes[name] ?? []))
}
