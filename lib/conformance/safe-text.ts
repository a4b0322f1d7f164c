// Control, format (bidirectional overrides, zero-width characters), lone surrogates, the two Unicode
// line separators, and two other code points that XML 1.0 excludes.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu

function escaped(character: string): string {
  const short = ['\\n', '\\r', '\\t'][['\n', '\r', '\t'].indexOf(character)]
  if (short !== undefined) return short
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** Escapes control, invisible and illegal characters (`\u001b`) except line breaks and tabs. */
export function printableText(text: string): string {
  return text.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  )
}

/** Like `printableText`, but on one line: escapes line breaks and tabs too (`\n`, `\t`). */
export function printableLine(text: string): string {
  return text.replace(unprintable, escaped)
}

/**
 * Escapes commands to CI servers: of GitHub Actions `::` at the start of a line, also indented, and `##[` anywhere, which
 * Azure Pipelines obeys too, and its `##vso[`.
 */
export function withoutWorkflowCommands(text: string): string {
  return text
    .replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\u003a')
    .replace(/#(?=#(?:vso)?\[)/gi, '\\u0023')
}
