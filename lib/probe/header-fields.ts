/** One link of a `Link` field (RFC 8288, 3): its target as written, its relation in lower case, if any. */
type LinkValue = { target: string; relation: string | undefined }

/** The `Link` field of a response; without values if it is absent or malformed. */
export interface Links {
  values: readonly LinkValue[]
  /** Target by relation, of which the first link counts. */
  targets: ReadonlyMap<string, string>
  /** The place where the form is not that of RFC 8288. */
  malformed?: string
}

// All of them are sticky and begin with a character of their own, so that reading takes linear time.
const TARGET = /<(?<target>[^>]*)>[ \t]*/y
const PARAMETER =
  /;[ \t]*(?:(?<name>[^\s=;,"<>]+)[ \t]*(?:=[ \t]*(?<value>"[^"\\]*(?:\\.[^"\\]*)*"|[^\s;,"<>]+)[ \t]*)?)?/sy
// RFC 9110, 5.6.1.2 has recipients ignore empty elements of a list.
const SEPARATORS = /[ \t]*(?:,[ \t]*)*/y

/** The relations that a value of `rel` names; one that is `undefined` where it names none. */
function relationsIn(value: string): (string | undefined)[] {
  const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
  const relations = text.toLowerCase().split(/\s+/).filter(Boolean)
  return relations.length === 0 ? [undefined] : relations
}

/** A value for each relation. @throws Error with the place where the form is not that of RFC 8288 */
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
    // RFC 8288, 3.3: of several `rel` the first counts.
    let rel: string | undefined
    for (let found = next(PARAMETER); found !== undefined; found = next(PARAMETER)) {
      if (found.name?.toLowerCase() === 'rel') rel ??= found.value
    }
    if (offset < field.length && field[offset] !== ',') throw malformed()
    for (const relation of relationsIn(rel ?? '')) links.push({ target, relation })
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

/** The beginning of a value of a `Warning` field: code, agent, text, date (RFC 7234, 5.5). */
const WARNING_VALUE =
  /\s*(?<code>\d{3}) +[^\s,"]+ +"(?<text>(?:[^"\\]|\\.)*)"(?: +"[^"]*")?\s*(?:,|$)/y

/** The values of a `Warning` field, as far as they have the form of one. */
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

/** Returns a URL reference without user name and password. */
export function withoutUserInformation(reference: string): string {
  return reference.replace(/^([^/?#\\]*[/\\]{2,})[^/?#\\]*@/, '$1')
}
