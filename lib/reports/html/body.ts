import { isJson } from '../../target/formats.ts'
import type { NamedParts } from '../named-parts.ts'
import { type ExcerptLimits, excerpt, printableLine, printableText } from '../printable.ts'
import { html, type Markup } from './markup.ts'

// Longer texts would cost more time than their excerpt is worth.
const longest = 262_144

// Deeper levels are set like the deepest: a body of nothing but brackets must not fill the memory.
const deepestIndentation = 24

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, deepestIndentation))}`
}

/**
 * JSON with a line for each member and an indentation of two spaces. Nothing but the white space is
 * changed: numbers, escapes and repeated names stay as they came. `undefined` for what is not JSON,
 * and for JSON of more than 262144 characters.
 */
export function formattedJson(text: string): string | undefined {
  if (text.length > longest || !isJson(text)) return undefined
  const found = text.match(tokens) ?? []
  let formatted = ''
  let depth = 0
  for (const [index, token] of found.entries()) {
    if (token === '{' || token === '[') {
      depth += 1
      formatted += token
      if (!/^[}\]]$/.test(found[index + 1] ?? '')) formatted += lineBreak(depth)
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (!/^[{[]$/.test(found[index - 1] ?? '')) formatted += lineBreak(depth)
      formatted += token
    } else if (token === ',') {
      formatted += token + lineBreak(depth)
    } else {
      formatted += token === ':' ? ': ' : token
    }
  }
  return formatted
}

/** A body as the page shows it. */
export interface BodyLines {
  /** Whether it is JSON whose white space was changed for the reader. */
  formatted: boolean
  lines: Markup[]
  /** Index of the last line with something marked, -1 where nothing is. */
  lastMarked: number
}

interface Line {
  text: string
  /** Where the marked part begins and ends. */
  marked?: { from: number; to: number }
}

const longestLine = 1000
const shownMarks = 5
const linesAroundMark = 2

const member = /^(\s*)"((?:[^"\\]|\\.)*)": (.*?)(,?)$/s
const element = /^(\s*)"((?:[^"\\]|\\.)*)"(,?)$/s
const stringValue = /^"((?:[^"\\]|\\.)*)"$/s

function jsonLine(text: string, named: NamedParts): Line {
  const [, indentation = '', name, value = '', comma = ''] = member.exec(text) ?? []
  if (name !== undefined) {
    const content = stringValue.exec(value)?.[1]
    const marked = named.field(name) || (content !== undefined && named.value(content))
    return marked
      ? { text, marked: { from: indentation.length, to: text.length - comma.length } }
      : { text }
  }
  const [, margin = '', content, end = ''] = element.exec(text) ?? []
  return content !== undefined && named.value(content)
    ? { text, marked: { from: margin.length, to: text.length - end.length } }
    : { text }
}

function plainText(text: string): Markup {
  return html`${printableText(excerpt(text, { characters: longestLine, lines: 1 }))}`
}

function lineMarkup({ text, marked }: Line): Markup {
  if (marked === undefined) return plainText(text)
  const { from, to } = marked
  return html`${text.slice(0, from)}<mark>${plainText(text.slice(from, to))}</mark>${printableLine(text.slice(to))}`
}

/** How many lines from the beginning fit the limits; one always does. */
function headLength(lines: readonly Line[], limits: ExcerptLimits): number {
  let characters = 0
  for (const [index, { text }] of lines.entries()) {
    characters += Math.min(text.length, longestLine) + 1
    if (index >= limits.lines || (index > 0 && characters > limits.characters)) return index
  }
  return lines.length
}

function keptLines(lines: readonly Line[], limits: ExcerptLimits): Set<number> {
  const kept = new Set(Array.from({ length: headLength(lines, limits) }, (_, index) => index))
  const beyond = lines.flatMap(({ marked }, index) =>
    marked === undefined || kept.has(index) ? [] : [index],
  )
  for (const index of beyond.slice(0, shownMarks)) {
    const last = Math.min(index + linesAroundMark, lines.length - 1)
    for (let near = index - linesAroundMark; near <= last; near += 1) kept.add(near)
  }
  return kept
}

function omission(count: number): Markup {
  return html`<i class="cut">… ${count} more ${count === 1 ? 'line' : 'lines'} left out, see report.json …</i>`
}

/**
 * The lines of a body, JSON formatted, what is named in the words about it marked. Of a long body
 * the beginning is kept, and a few marked lines from further down; what is left out is said in its
 * place.
 */
export function bodyLines(body: string, named: NamedParts, limits: ExcerptLimits): BodyLines {
  const json = formattedJson(body)
  const lines: Line[] =
    json === undefined
      ? body.split(/\r?\n/).map((text) => ({ text }))
      : json.split('\n').map((text) => jsonLine(text, named))
  const kept = keptLines(lines, limits)
  const shown: Markup[] = []
  let lastMarked = -1
  let left = 0
  for (const [index, line] of lines.entries()) {
    if (!kept.has(index)) {
      left += 1
      continue
    }
    if (left > 0) shown.push(omission(left))
    left = 0
    if (line.marked !== undefined) lastMarked = shown.length
    shown.push(lineMarkup(line))
  }
  if (left > 0) shown.push(omission(left))
  return { formatted: json !== undefined && json !== body, lines: shown, lastMarked }
}
