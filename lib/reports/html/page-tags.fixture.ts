export interface PageTag {
  name: string
  attributes: Record<string, string>
}

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
}

const withoutEnd = new Set(['meta', 'link', 'input', 'path'])

/** Text as a reader sees it. */
export function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

function withoutRawText(page: string): string {
  return page.replace(/(<(style|script)\b[^>]*>).*?<\/\2>/gs, '$1</$2>')
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  const rest = text.replace(
    /\s+([a-zA-Z-]+)(?:="([^"<>]*)")?(?=[\s/]|$)/g,
    (_whole, name: string, value = '') => {
      if (name in attributes) throw new Error(`attribute ${name} twice`)
      attributes[name] = decoded(value)
      return ''
    },
  )
  if (rest.replace('/', '').trim() !== '') throw new Error(`not an attribute: ${rest}`)
  return attributes
}

/**
 * The start tags of a page, in order. It reads the HTML that the page is written in, which is
 * stricter than HTML: every attribute in double quotes, every element closed, no stray `<` or `>`.
 *
 * @throws Error where the page is not so
 */
export function pageTags(page: string): PageTag[] {
  const tags: PageTag[] = []
  const open: string[] = []
  const text = withoutRawText(page).replace(/^<!doctype html>/, '')
  const rest = text.replace(
    /<(\/?)([a-z0-9]+)((?:"[^"]*"|[^"<>])*)>/g,
    (_tag, end: string, name: string, attributes: string) => {
      if (end !== '') {
        const last = open.pop()
        if (last !== name) throw new Error(`</${name}> ends <${last}>`)
        return ''
      }
      tags.push({ name, attributes: attributesOf(attributes) })
      if (!withoutEnd.has(name)) open.push(name)
      return ''
    },
  )
  if (open.length > 0) throw new Error(`left open: ${open.join(', ')}`)
  const stray = /.{0,40}[<>].{0,40}/.exec(rest)
  if (stray !== null) throw new Error(`stray: ${stray[0]}`)
  return tags
}

export function pageText(page: string): string {
  return decoded(withoutRawText(page).replace(/<[^>]*>/g, ''))
}

/** All values of `id`, in order. */
export function ids(tags: readonly PageTag[]): string[] {
  return tags.flatMap(({ attributes }) => attributes.id ?? [])
}

/** Everything that leads or loads from somewhere. */
export function references(tags: readonly PageTag[]): string[] {
  const names = ['href', 'src', 'action', 'data', 'srcset', 'poster']
  return tags.flatMap(({ attributes }) => names.flatMap((name) => attributes[name] ?? []))
}
