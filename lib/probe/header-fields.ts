import type { HeaderField, Links, LinkValue } from './exchange.ts'

// Sticky patterns with distinct first characters, for linear time.
const TARGET = /<(?<target>[^>]*)>[ \t]*/y
const PARAMETER =
  /;[ \t]*(?:(?<name>[^\s=;,"<>]+)[ \t]*(?:=[ \t]*(?<value>"[^"\\]*(?:\\.[^"\\]*)*"|[^\s;,"<>]+)[ \t]*)?)?/sy
// Recipients ignore empty list elements (RFC 9110, 5.6.1.2).
const SEPARATORS = /[ \t]*(?:,[ \t]*)*/y

/** Returns the relation types of a `rel` value; a single undefined if it has none. */
function parseRelations(value: string): (string | undefined)[] {
  const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
  const relations = text.toLowerCase().split(/\s+/).filter(Boolean)
  return relations.length === 0 ? [undefined] : relations
}

function parseLink(field: string): LinkValue[] {
  const links: LinkValue[] = []
  let offset = 0

  function next(pattern: RegExp): Record<string, string | undefined> | undefined {
    pattern.lastIndex = offset
    const found = pattern.exec(field)
    offset += found?.[0].length ?? 0
    return found === null ? undefined : (found.groups ?? {})
  }

  const malformed = () =>
    new Error(`unexpected ${JSON.stringify(field.charAt(offset))} at offset ${offset}`)

  next(SEPARATORS)
  while (offset < field.length) {
    const { target } = next(TARGET) ?? {}
    if (target === undefined) throw malformed()
    // Only the first `rel` counts (RFC 8288, 3.3).
    let rel: string | undefined
    for (let found = next(PARAMETER); found !== undefined; found = next(PARAMETER)) {
      if (found.name?.toLowerCase() === 'rel') rel ??= found.value
    }
    if (offset < field.length && field[offset] !== ',') throw malformed()
    for (const relation of parseRelations(rel ?? '')) links.push({ target, relation })
    next(SEPARATORS)
  }
  return links
}

export function linksOf(field: string | null): Links {
  try {
    const values = parseLink(field ?? '')
    const targets = new Map<string, string>()
    for (const { relation, target } of values) {
      if (relation !== undefined && !targets.has(relation)) targets.set(relation, target)
    }
    return { values, targets }
  } catch (error) {
    return { values: [], targets: new Map(), malformed: (error as Error).message }
  }
}

/** Code, agent, text and date at the start of a `Warning` value (RFC 7234, 5.5). */
const WARNING_VALUE =
  /\s*(?<code>\d{3}) +[^\s,"]+ +"(?<text>(?:[^"\\]|\\.)*)"(?: +"[^"]*")?\s*(?:,|$)/y

/** Returns the values of a `Warning` field up to the first malformed one. */
export function parseWarning(field: string): { code: number; text: string }[] {
  const values: { code: number; text: string }[] = []
  WARNING_VALUE.lastIndex = 0
  while (WARNING_VALUE.lastIndex < field.length) {
    const { code, text = '' } = WARNING_VALUE.exec(field)?.groups ?? {}
    if (code === undefined) break
    values.push({ code: Number(code), text: text.replace(/\\(.)/g, '$1') })
  }
  return values
}

export function withoutUserInformation(reference: string): string {
  return reference.replace(/^([^/?#\\]*[/\\]{2,})[^/?#\\]*@/, '$1')
}

/** Returns the header fields of undici's flat list, in their original order and letter case. */
export function toHeaderFields(flat: readonly string[]): HeaderField[] {
  return flat.flatMap((name, index) => {
    if (index % 2 === 1) return []
    const value = flat[index + 1] ?? ''
    const isLocation = name.toLowerCase() === 'location'
    return { name, value: isLocation ? withoutUserInformation(value) : value }
  })
}
