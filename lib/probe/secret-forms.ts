/** A text that was made of another one, and where each of its units stands in that. */
export interface View {
  text: string
  /** One more than the text has units: the last is the length of the source. Absent: the same places. */
  starts?: Uint32Array
}

/** With every match replaced that `replace` knows; `undefined` where there is none. */
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

/** As deep as escapes are undone, such as those of a URL in JSON in JSON in HTML. */
const MOST_LEVELS = 4
/** As deep where a backslash stands for itself. */
const MOST_LEVELS_AROUND_BACKSLASHES = 2

// Of URLs, programming languages, HTML and XML, SQL and CSV. A backslash elsewhere stands for itself. A NUL
// follows each ASCII character of UTF-16 that is taken for UTF-8.
const AROUND_BACKSLASHES =
  /\0|%u[\da-fA-F]{4}|%[\da-fA-F]{2}|\\u\{[\da-fA-F]{1,6}\}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\x[\da-fA-F]{2}|&#\d{1,7};|&#[xX][\da-fA-F]{1,6};|&[A-Za-z]{2,6}\d{0,2};|''|""/g
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
  if (sequence === '\0') return ''
  if (/^&\w/.test(sequence)) return characters.get(sequence.slice(1, -1))
  if (sequence.length > 2) {
    const radix = /^&#\d/.test(sequence) ? 10 : 16
    const code = Number.parseInt(sequence.replace(/[^\da-f]/gi, ''), radix)
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }
  const second = sequence.charAt(1)
  return sequence.startsWith('\\') ? (characters.get(second) ?? second) : second
}

/** The text as it is, and with its escapes undone once, twice and so on, as long as there are any. */
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

/** Shorter ones occur by chance as a part of a word. */
export const SHORT_SECRET = 8
/** Shorter ones occur by chance in base64, and as bytes in hexadecimal or decimal digits. */
const SHORTEST_IN_OTHER_FORMS = 6

/** RFC 4648, 6, as the secrets of one-time codes are written. */
const BASE32 = /^[A-Z2-7]{16,}$/i

/** Of a secret, once the escapes of the text are undone. */
export interface Form {
  text: string
  /** Looked for as it is, or as letters and digits alone, whatever stands between them. */
  among: 'characters' | 'lettersAndDigits'
  /** The characters on either side may be partly of these bytes. */
  base64?: true
  /** Number of units at the beginning that show enough of the secret; absent if all are needed. */
  enough?: number
}

const unique = (values: Iterable<string>) => [...new Set(values)]

const windows1252 = new TextDecoder('windows-1252')

const normalized = (text: string) => unique([text, text.normalize('NFC'), text.normalize('NFD')])

/** In Unicode's other normal forms, with its bytes taken for another encoding, and without what is not ASCII. */
function spellings(text: string): string[] {
  if (/^[\0-\x7f]*$/.test(text)) return [text]
  const marks = text.length < SHORT_SECRET ? [] : ['?', '\ufffd']
  return normalized(text).flatMap((one) => [
    one,
    // Where a letter becomes two.
    one.toUpperCase(),
    Buffer.from(one).toString('latin1'),
    windows1252.decode(Buffer.from(one)),
    ...marks.flatMap((mark) => [
      one.replace(/[^\0-\x7f]/gu, mark),
      one.replace(/[^\0-\x7f]/gu, (character) => mark.repeat(Buffer.byteLength(character))),
    ]),
  ])
}

/** In base64 behind any others, without the characters that are partly of those, and in digits. */
function bytesForms(bytes: Buffer): Form[] {
  const base64 = [0, 1, 2].map((preceding): Form => {
    const all = Buffer.concat([Buffer.alloc(preceding), bytes]).toString('base64')
    const end = Math.floor(((preceding + bytes.length) * 4) / 3)
    const text = all.slice(Math.ceil((preceding * 4) / 3), end)
    return { text, among: 'lettersAndDigits', base64: true }
  })
  const digits = [bytes.toString('hex'), [...bytes].join('')]
  return [...base64, ...digits.map((text): Form => ({ text, among: 'lettersAndDigits' }))]
}

function base32Bytes(text: string): Buffer {
  const bits = Array.from(text.toUpperCase(), (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the length of the beginning that two texts have in common. */
export function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

function formsOf(secret: string, isBase32: boolean): Form[] {
  const texts = unique(levelsOf(secret).flatMap(({ text }) => spellings(text)))
  const plain = texts.map((text): Form => ({ text, among: 'characters' }))
  const bytes = Buffer.from(secret)
  if (bytes.length < SHORTEST_IN_OTHER_FORMS) {
    // Of a short secret base64 counts only as a whole.
    const whole = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
    return [...plain, ...unique(whole).map((text): Form => ({ text, among: 'characters' }))]
  }
  // What is half of a surrogate pair has no bytes of its own.
  const escaped = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(bytes.toString())]
  const written = unique([...normalized(secret), ...escaped]).map((text) => Buffer.from(text))
  if (!isBase32) return [...plain, ...written.flatMap(bytesForms)]
  const grouped: Form = { text: secret, among: 'lettersAndDigits' }
  return [...plain, grouped, ...[...written, base32Bytes(secret)].flatMap(bytesForms)]
}

/**
 * Every form in which servers and libraries show a secret, apart from escapes: as it is, in other
 * encodings, in base64 at any offset of a longer text and over several lines, as bytes in hexadecimal
 * and decimal digits, and for a secret in base32 in groups and as the bytes that it stands for.
 * Escapes that are part of the secret are undone too, since they are in the text.
 *
 * @param enough characters of the secret at its beginning that must not be shown either
 */
export function secretForms(secret: string, enough = secret.length): Form[] {
  const isBase32 = BASE32.test(secret)
  const forms = formsOf(secret, isBase32)
  if (enough >= secret.length) return forms
  const beginnings = formsOf(secret.slice(0, enough), isBase32)
  return forms.map((form) => {
    const shared = beginnings
      .filter(({ among, base64 }) => among === form.among && base64 === form.base64)
      .map(({ text }) => {
        const length = commonLength(text, form.text)
        // An escape that the secret holds is cut in two, and undone it is one character more.
        return length === text.length ? length : length + 1
      })
    const most = Math.max(...shared)
    return most < SHORT_SECRET ? form : { ...form, enough: most }
  })
}
