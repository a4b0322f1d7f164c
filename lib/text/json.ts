export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function toPointer(names: readonly (string | number)[]): string {
  return names
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

export function pointerNames(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Matches unterminated strings too: the text may be truncated. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs

interface OpenValue {
  start: number
  isList: boolean
  /** Number of names that lead to this value; undefined if the pointer does not lead through it. */
  depth: number | undefined
  index: number
  name: string | undefined
}

function memberName(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

/** Returns the range of the value at a JSON pointer, or of the nearest enclosing one; undefined if the text, maybe no JSON, ends before. */
export function findJsonValue(
  text: string,
  pointer: string,
): { start: number; end: number; isExact: boolean } | undefined {
  const names = pointerNames(pointer)
  const open: OpenValue[] = []
  let found: { start: number; depth: number } | undefined
  const toRange = (start: number, depth: number, end: number) => ({
    start,
    end,
    isExact: depth === names.length,
  })
  for (const { 0: part, index: start } of text.matchAll(token)) {
    const parent = open.at(-1)
    const end = start + part.length
    if (part === ',' && parent !== undefined) {
      parent.index += 1
      parent.name = undefined
    } else if (part === '}' || part === ']') {
      const closed = open.pop()
      if (closed?.depth !== undefined) return toRange(closed.start, closed.depth, end)
    } else if (part.startsWith('"') && parent?.isList === false && parent.name === undefined) {
      parent.name = memberName(part)
    } else if (part !== ':' && part !== ',') {
      const name = parent?.isList ? String(parent.index) : parent?.name
      const isOnPath =
        parent === undefined
          ? found === undefined
          : parent.depth !== undefined && name === names[parent.depth]
      const depth = isOnPath ? open.length : undefined
      if (depth !== undefined) found = { start, depth }
      if (part === '{' || part === '[') {
        open.push({ start, isList: part === '[', depth, index: 0, name: undefined })
      } else if (depth !== undefined) {
        return toRange(start, depth, end)
      }
    }
  }
  return found?.depth === names.length ? toRange(found.start, found.depth, text.length) : undefined
}
