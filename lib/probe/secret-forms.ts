import { levelsOf } from './undo-escapes.ts'

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

/** The base64 of a text that begins there. */
export function base64FormOf(text: string): Form {
  return base64Form(Buffer.from(text), 0)
}

/** Of a short secret it counts only as a whole. */
function shortBase64Forms(secret: string): Form[] {
  const padded = Buffer.from(secret).toString('base64')
  const url = Buffer.from(secret).toString('base64url')
  const padding = /=*$/.exec(padded)?.[0] ?? ''
  return unique([padded, padded.replace(padding, ''), url, url + padding]).map((text) => ({
    text,
    among: 'characters',
  }))
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
    ...plain.map((text): Form => ({ text, among: 'characters' })),
    ...(short ? shortBase64Forms(secret) : []),
    ...(isBase32 ? [{ text: secret, among: 'lettersAndDigits' } satisfies Form] : []),
    ...(short ? [] : bytes.flatMap(bytesForms)),
  ]
}
