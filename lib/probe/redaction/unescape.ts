/** A decoded text, and the offset of each of its UTF-16 code units in the source. */
interface DecodedLayer {
  text: string
  /** Source offsets, followed by the length of the source; absent if the text is the source. */
  starts?: Uint32Array
}

/** Returns the text with its matches replaced; undefined if `replace` returns undefined for all. */
function replaceEscapes(
  { text, starts }: DecodedLayer,
  pattern: RegExp,
  replace: (match: string) => string | undefined,
): DecodedLayer | undefined {
  if (text.search(pattern) < 0) return undefined
  const parts: string[] = []
  // Allocated at the first replacement.
  let offsets = new Uint32Array()
  let size = 0
  let read = 0
  const copy = (end: number) => {
    parts.push(text.slice(read, end))
    for (; read < end; read += 1) offsets[size++] = starts?.[read] ?? read
  }
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const replacement = replace(match)
    if (replacement === undefined) continue
    if (read === 0) offsets = new Uint32Array(text.length + 1)
    copy(index)
    parts.push(replacement)
    for (let at = 0; at < replacement.length; at += 1) offsets[size++] = starts?.[read] ?? read
    read += match.length
  }
  if (read === 0) return undefined
  copy(text.length)
  offsets[size++] = starts?.[text.length] ?? text.length
  return { text: parts.join(''), starts: offsets.subarray(0, size) }
}

/** Levels of nested escapes, such as a URL in JSON in JSON in HTML. */
const MAX_LEVELS = 4
/** Levels that are decoded with literal backslashes. */
const MAX_LEVELS_AROUND_BACKSLASHES = 2

// Escapes of URLs, programming languages, HTML, XML, SQL and CSV; any other backslash is literal. NUL occurs
// in UTF-16 read as UTF-8, and base64 may have line breaks.
const AROUND_BACKSLASHES =
  /\0|(?<=[\w+/])\r?\n(?=[\w+/])|%u[\da-fA-F]{4}|%[\da-fA-F]{2}|\\u\{[\da-fA-F]{1,6}\}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\x[\da-fA-F]{2}|&#\d{1,7};|&#[xX][\da-fA-F]{1,6};|&(?:amp|lt|gt|quot|apos);|''|""/g
// Also escapes of JSON, including a double backslash.
const ESCAPE = new RegExp(`${AROUND_BACKSLASHES.source}|\\\\[nrtbf0!-/:-@[-\`{-~]`, 'g')

// Bytes in hexadecimal, as in `61:6c`, `<Buffer 61 6c` and `0x61, 0x6c`.
const SEPARATED_BYTES = /(?:\b(?:0x)?[\da-f]{2}(?:[:,-]\s?|\s{1,2})){5}(?:0x)?[\da-f]{2}\b/i
const BYTE_SEPARATOR =
  /(?<=(?<![\da-f])[\da-f]{2})(?:[:,-]\s?|\s{1,2})(?:0x)?(?=[\da-f]{2}(?![\da-f]))/gi

const characters = new Map(
  Object.entries({
    ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' },
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  }),
)

/** Returns the character of an escape. Bytes are read as Latin-1. */
function toCharacter(sequence: string): string | undefined {
  if (/^[\0\r\n]/.test(sequence)) return ''
  if (/^&\w/.test(sequence)) return characters.get(sequence.slice(1, -1))
  if (sequence.length > 2) {
    const radix = /^&#\d/.test(sequence) ? 10 : 16
    const code = Number.parseInt(sequence.replace(/[^\da-f]/gi, ''), radix)
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }
  const second = sequence.charAt(1)
  return sequence.startsWith('\\') ? (characters.get(second) ?? second) : second
}

/** Returns the text, its layers with escapes undone once, twice and so on, and those with bytes in hexadecimal joined. */
export function decodeLayers(text: string): DecodedLayer[] {
  const layers = new Map<string, DecodedLayer>()
  const maxAround = text.includes('\\') ? MAX_LEVELS_AROUND_BACKSLASHES : 0
  let first: DecodedLayer | undefined = { text }
  for (let count = 0; first !== undefined && count <= maxAround; count += 1) {
    let next: DecodedLayer | undefined = first
    for (let level = 0; next !== undefined && level <= MAX_LEVELS; level += 1) {
      if (!layers.has(next.text)) layers.set(next.text, next)
      next = replaceEscapes(next, ESCAPE, toCharacter)
    }
    first = count < maxAround ? replaceEscapes(first, AROUND_BACKSLASHES, toCharacter) : undefined
  }
  for (const layer of [...layers.values()]) {
    if (!SEPARATED_BYTES.test(layer.text)) continue
    const joined = replaceEscapes(layer, BYTE_SEPARATOR, () => '')
    if (joined !== undefined) layers.set(joined.text, joined)
  }
  return [...layers.values()]
}
