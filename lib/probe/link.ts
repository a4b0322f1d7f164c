import LinkHeader from 'http-link-header'

/** One link of a `Link` field (RFC 8288, 3): its target as written and its relation, in lower case. */
export interface LinkValue {
  target: string
  /** `undefined` when the link has no `rel` parameter. */
  relation: string | undefined
}

// All of them are sticky and begin with a character of their own, so that reading takes linear time.
const TARGET = /<[^>]*>[ \t]*/y
const PARAMETER =
  /;[ \t]*(?:[^\s=;,"<>]+[ \t]*(?:=[ \t]*(?:"[^"\\]*(?:\\.[^"\\]*)*"|[^\s;,"<>]+)[ \t]*)?)?/sy
// RFC 9110, 5.6.1.2 has recipients ignore empty elements of a list.
const SEPARATORS = /[ \t]*(?:,[ \t]*)*/y

// What the parser needs of a field: targets and `rel`. Forms of other parameters that RFC 8288 and
// RFC 9110 allow make it lose the links behind them.
const PARTS =
  /(?<target><[^>]*>)|;[ \t]*rel[ \t]*=[ \t]*(?<relation>"[^"\\]*(?:\\.[^"\\]*)*"|[^\s;,"<>]+)|;[ \t]*[^\s=;,"<>]+[ \t]*=[ \t]*"[^"\\]*(?:\\.[^"\\]*)*"/gis

/** One space between relations and none around them: others count as relations for the parser. */
function withSingleSpaces(relation: string): string {
  return relation.replace(/\s+/g, ' ').replace(/^" | "$/g, '"')
}

function targetsAndRelations(field: string): string {
  let hasRelation = false
  const parts = [...field.matchAll(PARTS)].map(({ groups = {} }) => {
    if (groups.target !== undefined) {
      hasRelation = false
      return `,${groups.target}`
    }
    // RFC 8288, 3.3: of several `rel` the first counts. The parser fails on some that are empty.
    if (groups.relation === undefined || hasRelation) return ''
    hasRelation = true
    return `;rel=${withSingleSpaces(groups.relation)}`
  })
  return parts.join('').slice(1)
}

/**
 * Where a `Link` field departs from the form of RFC 8288, as an offset; `undefined` when it has it.
 */
export function offsetOfMalformedLink(field: string): number | undefined {
  let offset = 0

  function skip(pattern: RegExp): boolean {
    pattern.lastIndex = offset
    const found = pattern.exec(field)
    offset += found?.[0].length ?? 0
    return found !== null
  }

  skip(SEPARATORS)
  while (offset < field.length) {
    if (!skip(TARGET)) return offset
    while (skip(PARAMETER));
    if (offset < field.length && field[offset] !== ',') return offset
    skip(SEPARATORS)
  }
  return undefined
}

/**
 * Parses a `Link` field. A link with several relations gives a value for each.
 *
 * @throws Error with the place when the field is not of the form of RFC 8288.
 */
export function parseLink(field: string): LinkValue[] {
  const offset = offsetOfMalformedLink(field)
  if (offset !== undefined) {
    throw new Error(`unexpected ${JSON.stringify(field.charAt(offset))} at offset ${offset}`)
  }
  return LinkHeader.parse(targetsAndRelations(field)).refs.map(({ uri, rel }) => {
    return { target: uri, relation: rel?.toLowerCase() || undefined }
  })
}

/**
 * The targets of a `Link` field by relation; the first link of a relation counts. An absent or
 * malformed field has none.
 */
export function linkTargets(field: string | null): Map<string, string> {
  const targets = new Map<string, string>()
  if (field === null || offsetOfMalformedLink(field) !== undefined) return targets
  for (const { relation, target } of parseLink(field)) {
    if (relation !== undefined && !targets.has(relation)) targets.set(relation, target)
  }
  return targets
}
