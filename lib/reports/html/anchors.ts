/**
 * An id as the `id` of an element and as the fragment of a URL, which need the same characters: all
 * but letters, digits, `-` and `/` are written as `_hexadecimal_`. Ids of requirements stay as they
 * are.
 */
export function anchor(id: string): string {
  return id.replace(/[^a-z0-9/-]/giu, (character) => {
    return `_${(character.codePointAt(0) ?? 0).toString(16)}_`
  })
}

/** The anchor of an observation, whose id may be that of a requirement too. */
export function observationAnchor(id: string): string {
  return anchor(`observation/${id}`)
}

/** The anchor of a section of the page's list of requirements. */
export function sectionAnchor(service: string, section: string): string {
  return anchor(`section/${service}/${section}`)
}
