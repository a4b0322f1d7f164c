import { isJson } from '../../target/formats.ts'

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
