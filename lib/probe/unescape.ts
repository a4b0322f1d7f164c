/** A text that was made of another one, and the place of each of its units in that. */
export interface View {
  text: string
  /** One more than the text has units: the last is the length of the source. Absent: the same places. */
  starts?: Uint32Array
}

/** Returns the text with its matches replaced; undefined if `replace` knows none of them. */
function derived(
  { text, starts }: View,
  pattern: RegExp,
  replace: (match: string) => string | undefined,
): View | undefined {
  // Most texts have none.
  if (text.search(pattern) < 0) return undefined
  const parts: string[] = []
  // Made for the first that is replaced.
  let places = new Uint32Array()
  let size = 0
  let read = 0
  const copy = (end: number) => {
    parts.push(text.slice(read, end))
    for (; read < end; read += 1) places[size++] = starts?.[read] ?? read
  }
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const replacement = replace(match)
    if (replacement === undefined) continue
    if (read === 0) places = new Uint32Array(text.length + 1)
    copy(index)
    parts.push(replacement)
    for (let unit = 0; unit < replacement.length; unit += 1) places[size++] = starts?.[read] ?? read
    read += match.length
  }
  if (read === 0) return undefined
  copy(text.length)
  places[size++] = starts?.[text.length] ?? text.length
  return { text: parts.join(''), starts: places.subarray(0, size) }
}

/** Levels of escapes that are undone, such as a URL in JSON in JSON in HTML. */
const MOST_LEVELS = 4
/** Levels of escapes that are undone around backslashes that stand for themselves. */
const MOST_LEVELS_AROUND_BACKSLASHES = 2

// Of URLs, programming languages, HTML and XML, SQL and CSV. A backslash elsewhere stands for itself. A NUL
// follows each ASCII character of UTF-16 that is taken for UTF-8, and base64 may have several lines.
const AROUND_BACKSLASHES =
  /\0|(?<=[\w+/])\r?\n(?=[\w+/])|%u[\da-fA-F]{4}|%[\da-fA-F]{2}|\\u\{[\da-fA-F]{1,6}\}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\x[\da-fA-F]{2}|&#\d{1,7};|&#[xX][\da-fA-F]{1,6};|&[A-Za-z]{2,6}\d{0,2};|''|""/g
// With those of JSON, of which a backslash is one.
const ESCAPE = new RegExp(`${AROUND_BACKSLASHES.source}|\\\\[nrtbf0!-/:-@[-\`{-~]`, 'g')

/** Names of U+00A0 to U+00FF in HTML, in their order. */
const latin1 = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 ' +
  'sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc ' +
  'Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute ' +
  'acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ')

/** By name, behind a backslash or in HTML. */
const characters = new Map([
  ...latin1.map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' }),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€' }),
])

/** Bytes become the characters of Latin-1, whatever the encoding that they were written in. */
function unescapedCharacter(sequence: string): string | undefined {
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

/** Returns the text as it is, and with its escapes undone once, twice and so on. */
export function levelsOf(text: string): View[] {
  const levels = new Map<string, View>()
  const around = text.includes('\\') ? MOST_LEVELS_AROUND_BACKSLASHES : 0
  let first: View | undefined = { text }
  for (let count = 0; first !== undefined && count <= around; count += 1) {
    let next: View | undefined = first
    for (let level = 0; next !== undefined && level <= MOST_LEVELS; level += 1) {
      if (!levels.has(next.text)) levels.set(next.text, next)
      next = derived(next, ESCAPE, unescapedCharacter)
    }
    first = count < around ? derived(first, AROUND_BACKSLASHES, unescapedCharacter) : undefined
  }
  return [...levels.values()]
}
