import LinkHeader from 'http-link-header'

/** One link of a `Link` field (RFC 8288, 3): its target as written and its relation, in lower case. */
export interface LinkValue {
  target: string
  /** `undefined` when the link has no `rel` parameter. */
  relation: string | undefined
}

const SPACE_BEFORE_SEPARATOR = /("(?:[^"\\]|\\.)*"|<[^>]*>)|[ \t]+(?=[,;])/g

/**
 * Parses a `Link` field. A link with several relations gives a value for each.
 *
 * @throws Error with the parser's reason when the field is not of the form of RFC 8288.
 */
export function parseLink(field: string): LinkValue[] {
  // The parser does not know optional white space before a comma, which RFC 9110, 5.6.1 allows.
  const tidy = field.replace(SPACE_BEFORE_SEPARATOR, '$1')
  return LinkHeader.parse(tidy).refs.map((reference) => ({
    target: reference.uri,
    relation: typeof reference.rel === 'string' ? reference.rel.toLowerCase() : undefined,
  }))
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
