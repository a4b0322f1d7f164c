/** Turns a text into another way to write it; letters and digits stay as they are. */
type Escape = (text: string) => string

function each(write: (character: string) => string): Escape {
  return (text) =>
    Array.from(text, (character) =>
      /^[A-Za-z0-9]$/.test(character) ? character : write(character),
    ).join('')
}

function replacing(character: string, by: string): Escape {
  return (text) => text.replaceAll(character, by)
}

function bytesOf(character: string): number[] {
  return [...Buffer.from(character)]
}

function unitsOf(character: string): number[] {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
}

function hexadecimal(value: number, digits = 0): string {
  return value.toString(16).padStart(digits, '0')
}

/** Each number in hexadecimal digits, with what comes before it. */
function prefixed(numbers: readonly number[], prefix: string, digits: number): string {
  return numbers.map((number) => prefix + hexadecimal(number, digits)).join('')
}

/** The same escape with its hexadecimal digits in upper case. */
function inUpperCase(write: (character: string) => string): (character: string) => string {
  return (character) =>
    write(character).replace(
      /(%u?|\\[ux]|&#x)([\da-f]+)/g,
      (_, prefix, digits) => prefix + digits.toUpperCase(),
    )
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}

const names = new Map<string, string>([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
  ['€', 'euro'],
])

// HTML 4.01, 24.2.1: the names of the characters from U+00A0 to U+00FF, in order.
const latin1Names = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
for (const [index, name] of latin1Names.split(/\s/).entries()) {
  names.set(String.fromCharCode(0xa0 + index), name)
}

const percent = (character: string) => prefixed(bytesOf(character), '%', 2)
const unicode = (character: string) => prefixed(unitsOf(character), '\\u', 4)
const htmlHexadecimal = (character: string) => `&#x${hexadecimal(codeOf(character))};`

/** As JavaScript's `escape` and Internet Information Services do. */
function legacyPercent(character: string): string {
  return unitsOf(character)
    .map((unit) => (unit < 0x100 ? `%${hexadecimal(unit, 2)}` : `%u${hexadecimal(unit, 4)}`))
    .join('')
}

/** As C, Python, PHP and the log of nginx do. */
function byteEscape(character: string): string {
  return prefixed(bytesOf(character), '\\x', 2)
}

function beyondAscii(replacement: (character: string) => string): Escape {
  return each((character) => (codeOf(character) < 0x80 ? character : replacement(character)))
}

const windows1252 = new TextDecoder('windows-1252')

const json: Escape = each((character) => JSON.stringify(character).slice(1, -1))

const escapes: readonly Escape[] = [
  // URLs and forms
  each(percent),
  each(inUpperCase(percent)),
  each(legacyPercent),
  each(inUpperCase(legacyPercent)),
  replacing(' ', '+'),
  replacing('+', ' '),
  // JSON and programming languages
  json,
  replacing('/', '\\/'),
  each(unicode),
  each(inUpperCase(unicode)),
  each(byteEscape),
  each(inUpperCase(byteEscape)),
  beyondAscii((character) => prefixed([codeOf(character)], '\\x', 2)),
  beyondAscii((character) => `\\u{${hexadecimal(codeOf(character))}}`),
  beyondAscii((character) => prefixed([codeOf(character)], '\\U', 8)),
  replacing("'", "\\'"),
  // SQL and CSV
  replacing("'", "''"),
  replacing('"', '""'),
  // HTML and XML
  each((character) => (names.has(character) ? `&${names.get(character)};` : character)),
  each((character) => `&#${codeOf(character)};`),
  each((character) => `&#${String(codeOf(character)).padStart(3, '0')};`),
  each(htmlHexadecimal),
  each(inUpperCase(htmlHexadecimal)),
  // Bytes of UTF-8 taken for another encoding, as header fields are
  beyondAscii((character) => Buffer.from(character).toString('latin1')),
  beyondAscii((character) => windows1252.decode(Buffer.from(character))),
]

const known = new Map<string, readonly string[]>()

/**
 * The ways in which servers, gateways and libraries write a character in URLs, forms, JSON, HTML,
 * programming languages and wrong encodings: escaped once or by any two of these one after the
 * other, as in a URL within HTML, or three times in the same way, and all of that within JSON too.
 */
export function waysToWrite(character: string): readonly string[] {
  if (/^[A-Za-z0-9]$/.test(character)) return [character]
  const before = known.get(character)
  if (before !== undefined) return before
  const plain = new Set([character, character.toLowerCase(), character.toUpperCase()])
  const ways = new Set(plain)
  for (const text of plain) {
    for (const write of escapes) {
      const once = write(text)
      if (once === text) continue
      ways.add(once)
      for (const writeAgain of escapes) ways.add(writeAgain(once))
      ways.add(write(write(once)))
    }
  }
  const all = [...new Set([...ways, ...Array.from(ways, json)])]
  known.set(character, all)
  return all
}

/** The same for what is made of ASCII that seldom needs escapes, such as base64. */
export function waysToWriteOnce(character: string): readonly string[] {
  const once = escapes.map((write) => write(character))
  return [...new Set([character, ...once, ...once.map((way) => way.replace('%', '%25'))])]
}
