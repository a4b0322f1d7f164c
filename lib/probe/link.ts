/** One link of a `Link` field (RFC 8288, 3): its target as written and its relation, in lower case. */
export interface LinkValue {
  target: string
  /** `undefined` when the link has no `rel` parameter. */
  relation: string | undefined
}

// All three are sticky and begin with a character of their own, so that reading takes linear time.
const TARGET = /<(?<target>[^>]*)>[ \t]*/y
const PARAMETER =
  /;[ \t]*(?:(?<name>[^\s=;,"<>]+)[ \t]*(?:=[ \t]*(?:"(?<quoted>[^"\\]*(?:\\.[^"\\]*)*)"|(?<token>[^\s;,"<>]+))[ \t]*)?)?/sy
// RFC 9110, 5.6.1.2 has recipients ignore empty elements of a list.
const SEPARATORS = /[ \t]*(?:,[ \t]*)*/y

function relationsOf(parameter: string | undefined): (string | undefined)[] {
  const relations = (parameter ?? '').toLowerCase().split(/[ \t]+/)
  const named = relations.filter((relation) => relation !== '')
  return named.length === 0 ? [undefined] : named
}

/**
 * Parses a `Link` field. A link with several relations gives a value for each.
 *
 * @throws Error with the reason when the field is not of the form of RFC 8288.
 */
export function parseLink(field: string): LinkValue[] {
  const values: LinkValue[] = []
  let offset = 0

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = offset
    const match = pattern.exec(field)
    offset += match?.[0].length ?? 0
    return match
  }

  take(SEPARATORS)
  while (offset < field.length) {
    const target = take(TARGET)?.groups?.target
    if (target === undefined) throw unexpected(field, offset)
    let relation: string | undefined
    for (let parameter = take(PARAMETER); parameter !== null; parameter = take(PARAMETER)) {
      const { name, quoted, token } = parameter.groups ?? {}
      // RFC 8288, 3.3: the first `rel` of a link counts.
      if (name?.toLowerCase() === 'rel')
        relation ??= quoted?.replace(/\\(.)/gs, '$1') ?? token ?? ''
    }
    for (const each of relationsOf(relation)) values.push({ target, relation: each })
    if (offset < field.length && field[offset] !== ',') throw unexpected(field, offset)
    take(SEPARATORS)
  }
  return values
}

function unexpected(field: string, offset: number): Error {
  return new Error(`unexpected ${JSON.stringify(field.charAt(offset))} at offset ${offset}`)
}

/**
 * The targets of a `Link` field by relation; the first link of a relation counts. An absent or
 * malformed field has none.
 */
export function linkTargets(field: string | null): Map<string, string> {
  const targets = new Map<string, string>()
  if (field === null) return targets
  try {
    for (const { relation, target } of parseLink(field)) {
      if (relation !== undefined && !targets.has(relation)) targets.set(relation, target)
    }
  } catch {
    return new Map()
  }
  return targets
}
