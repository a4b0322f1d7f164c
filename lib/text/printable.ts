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
 * Azure Pipelines obeys too, its `##vso[`, and `##teamcity[`.
 */
export function withoutWorkflowCommands(text: string): string {
  return text
    .replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\u003a')
    .replace(/#(?=#(?:vso|teamcity)?\[)/gi, '\\u0023')
}

export interface ExcerptLimits {
  characters: number
  lines: number
}

/** Returns printable text on one line; each run of white space becomes one space. */
export function printableProse(text: string): string {
  return printableLine(text.replace(/\s+/gu, ' '))
}

/** Like `printableProse`, without white space at both ends. @param length maximum number of code points */
export function printableSentence(text: string, length?: number): string {
  const line = printableProse(text.trim())
  return length === undefined ? line : truncate(line, length)
}

/** Capitalizes the first letter, unless the text begins with a URL. */
export function capitalized(text: string): string {
  return /^\w+:\/\//.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

// `JSON.stringify` escapes only the first 32 control characters.
const unprintableInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** Formats a value as JSON; escapes characters that terminals interpret or hide. */
export function printableJson(value: unknown, indentation: string | number = 2): string {
  const escapes = (character: string) =>
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return JSON.stringify(value, null, indentation).replace(unprintableInJson, escapes)
}

/** Truncates a text and adds the number of omitted characters; never splits a surrogate pair. */
export function excerpt(text: string, limits: ExcerptLimits): string {
  let kept = text.slice(0, limits.characters)
  if (kept.length < text.length) kept = kept.replace(/[\ud800-\udbff]$/, '')
  kept = kept.split('\n').slice(0, limits.lines).join('\n')
  const omitted = text.length - kept.length
  return omitted === 0 ? text : `${kept} … [${omitted} more characters]`
}

/** Truncates a text to at most `length` code points, including an ellipsis. */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2))
  if (characters.length <= length) return text
  return length < 1 ? '' : `${characters.slice(0, length - 1).join('')}…`
}

function wrappedLine(line: string, width: number): string[] {
  const rows: string[] = []
  const characters = Array.from(line)
  let start = 0
  while (characters.length - start > width) {
    const next = characters.slice(start, start + width + 1)
    // JSON and URLs have few spaces: they may also break after these.
    const breaks = [',', ';', '&'].map((separator) => next.lastIndexOf(separator, width - 1) + 1)
    const place = Math.max(next.lastIndexOf(' ', width), ...breaks)
    // A long word is split instead of leaving a row short.
    const end = place > width / 3 ? place : width
    rows.push(next.slice(0, end).join(''))
    start += next[end] === ' ' ? end + 1 : end
  }
  rows.push(characters.slice(start).join(''))
  return rows
}

/** Wraps text into rows of at most `width` code points, at spaces or after separators. */
export function wrapped(text: string, width: number): string[] {
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrappedLine(line, Math.max(width, 1)))
}
