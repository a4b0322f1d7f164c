// Control, format (bidirectional overrides, zero-width characters), lone surrogates, the two Unicode
// line separators, and the two code points that XML 1.0 excludes besides: one set for terminal and
// XML alike, so that a person sees the same text in both.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu

function escaped(character: string): string {
  const short = ['\\n', '\\r', '\\t'][['\n', '\r', '\t'].indexOf(character)]
  if (short !== undefined) return short
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/**
 * Text from anywhere, safe to show on a terminal and to put into XML: characters that would be
 * obeyed, invisible or illegal are written out (`\u001b`). Line breaks and tabs stay.
 */
export function printableText(text: string): string {
  return text.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  )
}

/** As `printableText`, on one line: line breaks and tabs are written out too (`\n`, `\t`). */
export function printableLine(text: string): string {
  return text.replace(unprintable, escaped)
}

/**
 * The text without what a line of it could make GitHub Actions do. Its runner obeys a line that
 * begins with two colons, however far it is indented, and the older `##[…]` anywhere; what follows
 * does not matter. The first character of these is written out, as everything is that is obeyed.
 */
export function withoutWorkflowCommands(text: string): string {
  return text
    .replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\u003a')
    .replace(/#(?=#\[)/g, '\\u0023')
}
