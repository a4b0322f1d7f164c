/** Splits a text at the placeholders of these secrets: every second part is the name of one. */
export function splitAtPlaceholders(text: string, secrets: readonly string[]): string[] {
  if (secrets.length === 0) return [text]
  // One name may be the beginning of another.
  const names = secrets.toSorted((one, other) => other.length - one.length)
  return text.split(new RegExp(`\\$(${names.join('|')})`))
}

/** Returns the names of the secrets that have a placeholder in one of the texts. */
export function placeholdersIn(texts: readonly string[], secrets: readonly string[]): string[] {
  const names = texts
    .filter((text) => text.includes('$'))
    .flatMap((text) => splitAtPlaceholders(text, secrets).filter((_, index) => index % 2 === 1))
  return [...new Set(names)]
}
