/** A text with escapes undone, and where each of its units begins in the text that it was made of. */
export interface Unescaped {
  text: string
  /** One more than the text has units: the last is the length of the source. Absent: the same places. */
  starts?: Uint32Array
}

/** As deep as escapes are undone, such as those of a URL in JSON in JSON in HTML. */
const MOST_LEVELS = 4
/** As deep where a backslash stands for itself. */
const MOST_LEVELS_AROUND_BACKSLASHES = 2

// Of URLs, programming languages, HTML and XML, SQL and CSV. A backslash elsewhere stands for itself.
const AROUND_BACKSLASHES =
  /%u[\da-fA-F]{4}|%[\da-fA-F]{2}|\\u\{[\da-fA-F]{1,6}\}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\x[\da-fA-F]{2}|&#\d{1,7};|&#[xX][\da-fA-F]{1,6};|&[A-Za-z]{2,6}[1-4]{0,2};|''|""/g
// With those of JSON, of which a backslash is one.
const ESCAPE = new RegExp(`${AROUND_BACKSLASHES.source}|\\\\[nrtbf0!-/:-@[-\`{-~]`, 'g')
// One follows each ASCII character of UTF-16 that is taken for UTF-8.
const NUL = /\0/g
const MAY_BE_ESCAPED = /[%\\&\0]|''|""/

const control = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' }))

const named = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€' }),
)
// HTML 4.01, 24.2.1: the names of the characters from U+00A0 to U+00FF, in order.
const latin1Names = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
for (const [index, name] of latin1Names.split(/\s/).entries()) {
  named.set(name, String.fromCharCode(0xa0 + index))
}

function character(digits: string, radix: number): string | undefined {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** Bytes become the characters of Latin-1, whatever the encoding that they were written in. */
function unescapedCharacter(sequence: string): string | undefined {
  if (sequence === '\0') return ''
  if (/^&#x/i.test(sequence)) return character(sequence.slice(3, -1), 16)
  if (sequence.startsWith('&#')) return character(sequence.slice(2, -1), 10)
  if (sequence.startsWith('&')) return named.get(sequence.slice(1, -1))
  if (sequence.length > 2) return character(sequence.replace(/[^\da-f]/gi, ''), 16)
  const second = sequence.charAt(1)
  return sequence.startsWith('\\') ? (control.get(second) ?? second) : second
}

/** The text with one level of escapes undone; `undefined` where it has none. */
function unescapedOnce({ text, starts }: Unescaped, escapes: RegExp): Unescaped | undefined {
  const parts: string[] = []
  const places = new Uint32Array(text.length + 1)
  let size = 0
  let read = 0
  const placeOf = (at: number) => starts?.[at] ?? at
  const copy = (end: number) => {
    parts.push(text.slice(read, end))
    for (; read < end; read += 1) places[size++] = placeOf(read)
  }
  for (const { 0: sequence, index } of text.matchAll(escapes)) {
    const found = unescapedCharacter(sequence)
    if (found === undefined) continue
    copy(index)
    parts.push(found)
    for (let unit = 0; unit < found.length; unit += 1) places[size++] = placeOf(read)
    read += sequence.length
  }
  if (read === 0) return undefined
  copy(text.length)
  places[size++] = placeOf(text.length)
  return { text: parts.join(''), starts: places.subarray(0, size) }
}

function undone(level: Unescaped, escapes: RegExp, most: number): Unescaped[] {
  const levels: Unescaped[] = []
  for (let next: Unescaped | undefined = level; next !== undefined && levels.length < most; ) {
    next = unescapedOnce(next, next.text.includes('\0') ? NUL : escapes)
    if (next !== undefined) levels.push(next)
  }
  return levels
}

/**
 * The text as it is, and with its escapes undone once, twice and so on, as long as there are any.
 *
 * @param literal whether a backslash of the text may also stand for itself, as within a secret that has one
 */
export function levelsOf(text: string, literal = true): Unescaped[] {
  const written: Unescaped = { text }
  if (!MAY_BE_ESCAPED.test(text)) return [written]
  const plain =
    literal && text.includes('\\')
      ? undone(written, AROUND_BACKSLASHES, MOST_LEVELS_AROUND_BACKSLASHES)
      : []
  const levels = new Map([[text, written]])
  for (const level of [written, ...plain]) {
    for (const next of [level, ...undone(level, ESCAPE, MOST_LEVELS)]) {
      if (!levels.has(next.text)) levels.set(next.text, next)
    }
  }
  return [...levels.values()]
}
