import { printableLine } from '../conformance/safe-text.ts'

export { printableLine, printableText } from '../conformance/safe-text.ts'

export interface ExcerptLimits {
  characters: number
  lines: number
}

/** Printable prose on one line: every run of white space becomes one space. */
export function printableSentence(text: string): string {
  return printableLine(text.replace(/\s+/gu, ' ').trim())
}

// Of these, JSON writes only the first 32 control characters as escapes by itself.
const unprintableInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** A value as JSON: what a terminal would obey or hide is written as escapes of JSON. */
export function printableJson(value: unknown): string {
  const escapes = (character: string) =>
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return JSON.stringify(value, null, 2).replace(unprintableInJson, escapes)
}

/** The beginning of a text; what is left out is counted. No pair of surrogates is cut in two. */
export function excerpt(text: string, limits: ExcerptLimits): string {
  let kept = text.slice(0, limits.characters)
  if (kept.length < text.length) kept = kept.replace(/[\ud800-\udbff]$/, '')
  const lines = kept.split('\n')
  if (lines.length > limits.lines) kept = lines.slice(0, limits.lines).join('\n')
  const left = text.length - kept.length
  return left === 0 ? text : `${kept} … [${left} more characters]`
}

/** Text cut to at most `length` code points, the last of them an ellipsis where it was cut. */
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
    // Behind these a line of JSON or a URL may be broken as prose is at its spaces.
    const behind = [',', ';', '&'].map((separator) => next.lastIndexOf(separator, width - 1) + 1)
    const place = Math.max(next.lastIndexOf(' ', width), ...behind)
    // A break near the start would leave a ragged column: a long word is then cut instead.
    const end = place > width / 3 ? place : width
    rows.push(next.slice(0, end).join(''))
    start += next[end] === ' ' ? end + 1 : end
  }
  rows.push(characters.slice(start).join(''))
  return rows
}

/** Rows of at most `width` code points, broken at spaces or behind separators. */
export function wrapped(text: string, width: number): string[] {
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrappedLine(line, Math.max(width, 1)))
}
