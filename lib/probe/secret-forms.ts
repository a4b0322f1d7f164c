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

/** Shorter ones occur by chance in another case, or as a part of a word. */
export const SHORT_SECRET = 8
/** Shorter ones occur by chance in base64, and as bytes in hexadecimal or decimal digits. */
const SHORTEST_IN_OTHER_FORMS = 6

/** RFC 4648, 6, as the secrets of one-time codes are written. */
const BASE32 = /^[A-Z2-7]{16,}$/i

/** Words of every report that somebody may take for a password. */
const REPORT_WORDS = new Set(
  'administrator authorization documentation expected inconclusive password passwords plumbline repository requirement response settings statement'.split(
    ' ',
  ),
)
const LETTERS = /^\p{L}+$/u

/** A way in which a secret stands in a text, once the escapes of the text are undone. */
export interface Form {
  text: string
  /** Looked for as it is, or as letters and digits alone, whatever stands between them. */
  among: 'characters' | 'lettersAndDigits'
  /** For base64, of which the text has the characters that are of no other bytes. */
  base64?: {
    bytes: Buffer
    /** How many bytes come before them in their group of three. */
    preceding: number
  }
}

/** A text that is looked for as it is. */
export function asItIs(text: string): Form {
  return { text, among: 'characters' }
}

/** How carefully a secret has to be told from what only looks like it. */
export interface Caution {
  /** It counts only where no letter, digit, or part of a name or path stands next to it. */
  alone: boolean
  /** It counts in this case alone. */
  exactCase: boolean
  /** It may be a word of our own sentences. */
  word: boolean
}

/** @param words further words of reports, such as the names of services */
export function cautionFor(secret: string, words: ReadonlySet<string>): Caution {
  const short = secret.length < SHORT_SECRET
  const word =
    (short && LETTERS.test(secret)) ||
    words.has(secret.toLowerCase()) ||
    REPORT_WORDS.has(secret.toLowerCase())
  return { alone: short || word, exactCase: short, word }
}

function unique<T>(values: Iterable<T>): T[] {
  return [...new Set(values)]
}

const windows1252 = new TextDecoder('windows-1252')

/** In Unicode's other normal forms, with its bytes taken for another encoding, and without what is not ASCII. */
function spellings(text: string): string[] {
  if (/^[\0-\x7f]*$/.test(text)) return [text]
  const normalized = unique([text, text.normalize('NFC'), text.normalize('NFD')])
  return unique(
    normalized.flatMap((one) => [
      one,
      // Where a letter becomes two.
      one.toUpperCase(),
      Buffer.from(one).toString('latin1'),
      windows1252.decode(Buffer.from(one)),
      ...(text.length < SHORT_SECRET ? [] : withoutOthers(one)),
    ]),
  )
}

function withoutOthers(text: string): string[] {
  return ['?', '\ufffd'].flatMap((mark) => [
    text.replace(/[^\0-\x7f]/gu, mark),
    text.replace(/[^\0-\x7f]/gu, (character) => mark.repeat(Buffer.byteLength(character))),
  ])
}

/** The bytes in base64 behind any others: the characters that are of these bytes alone. */
function base64Form(bytes: Buffer, preceding: number): Form {
  const all = Buffer.concat([Buffer.alloc(preceding), bytes]).toString('base64')
  const own = all.slice(
    Math.ceil((preceding * 8) / 6),
    Math.floor(((preceding + bytes.length) * 8) / 6),
  )
  return { text: own, among: 'lettersAndDigits', base64: { bytes, preceding } }
}

export function base64FormOf(text: string): Form {
  return base64Form(Buffer.from(text), 0)
}

/** Of a short secret it counts only as a whole. */
function shortBase64Forms(secret: string): Form[] {
  const padded = Buffer.from(secret).toString('base64')
  const url = Buffer.from(secret).toString('base64url')
  const padding = /=*$/.exec(padded)?.[0] ?? ''
  return unique([padded, padded.replace(padding, ''), url, url + padding]).map(asItIs)
}

function bytesForms(bytes: Buffer): Form[] {
  const numbers = [bytes.toString('hex'), [...bytes].join('')]
  return [
    ...[0, 1, 2].map((preceding) => base64Form(bytes, preceding)),
    ...numbers.map((text): Form => ({ text, among: 'lettersAndDigits' })),
  ]
}

function base32Bytes(text: string): Buffer {
  const bits = Array.from(text.toUpperCase(), (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

function percentEncoded(text: string): string {
  // What is half of a surrogate pair has no bytes of its own.
  return encodeURIComponent(Buffer.from(text).toString())
}

/**
 * Every form in which servers and libraries show a secret, apart from escapes: as it is, in other
 * encodings, in base64 at any offset of a longer text and over several lines, as bytes in hexadecimal
 * and decimal digits, and for a secret in base32 in groups and as the bytes that it stands for.
 * Escapes that are part of the secret are undone too, since they are in the text.
 */
export function secretForms(secret: string): Form[] {
  const isBase32 = BASE32.test(secret)
  const plain = unique(levelsOf(secret).flatMap(({ text }) => spellings(text)))
  const short = Buffer.byteLength(secret) < SHORTEST_IN_OTHER_FORMS
  const normalized = [secret, secret.normalize('NFC'), secret.normalize('NFD')]
  const escaped = [JSON.stringify(secret).slice(1, -1), percentEncoded(secret)]
  const bytes = [
    ...unique([...normalized, ...escaped]).map((text) => Buffer.from(text)),
    ...(isBase32 ? [base32Bytes(secret)] : []),
  ]
  return [
    ...plain.map(asItIs),
    ...(short ? shortBase64Forms(secret) : []),
    ...(isBase32 ? [{ text: secret, among: 'lettersAndDigits' } satisfies Form] : []),
    ...(short ? [] : bytes.flatMap(bytesForms)),
  ]
}
