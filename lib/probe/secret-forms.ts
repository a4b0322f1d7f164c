import { waysToWrite, waysToWriteOnce } from './redaction-escapes.ts'
import type { Form } from './redaction-search.ts'

/** Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it. */
const NUMERIC = /^\d+$/

/** RFC 4648, 6, as the secrets of one-time codes are written. */
const BASE32 = /^[A-Z2-7]{16,}$/i

/** Shorter ones occur by chance in another case, or within base64 and the like. */
const SHORTEST_IN_ANY_CASE = 8
const SHORTEST_IN_OTHER_FORMS = 6

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Line breaks of MIME (RFC 2045, 6.8), as they are and within JSON. */
const LINE_BREAKS = ['', '\n', '\r\n', '\\n', '\\r\\n']

function unique<T>(values: Iterable<T>): T[] {
  return [...new Set(values)]
}

/**
 * A text as it is or in any way in which its characters are escaped. Equal ones in a row are escaped
 * alike, which leaves nothing to try where a backslash may stand for itself or for half of two.
 */
function textForm(text: string): Form {
  const parts: (string | readonly string[])[] = []
  for (const [run, character] of text.matchAll(/[A-Za-z0-9]+|(.)\1*/gsu)) {
    if (character === undefined) {
      parts.push(run)
      continue
    }
    const ways = waysToWrite(character)
    const times = run.length / character.length
    parts.push(times === 1 ? ways : ways.map((way) => way.repeat(times)))
  }
  return { parts, anyCase: text.length >= SHORTEST_IN_ANY_CASE, wholeNumber: NUMERIC.test(text) }
}

/** A character of base64 in both alphabets (RFC 4648, 4 and 5). */
function base64Character(index: number): readonly string[] {
  const character = BASE64_ALPHABET.charAt(index)
  if (character === '+') return [...waysToWriteOnce('+'), '-']
  if (character === '/') return [...waysToWriteOnce('/'), '_']
  return [character]
}

const base64Characters = Array.from(BASE64_ALPHABET, (_, index) => base64Character(index))
const brokenBase64Characters = base64Characters.map((ways) =>
  LINE_BREAKS.flatMap((lineBreak) => ways.map((way) => lineBreak + way)),
)

function withLineBreaks(ways: readonly string[]): string[] {
  return ways.flatMap((way) => LINE_BREAKS.map((lineBreak) => way + lineBreak))
}

const padding = ['', ...waysToWriteOnce('=')]

type Ways = readonly string[]
const partialCharacters = new Map<string, Ways>()

/**
 * The characters of which only some bits belong to the bytes: `value` in the upper ones or the lower
 * ones, anything in the others. The same list each time.
 */
function partialCharacter(value: number, freeBits: number, free: 'upper' | 'lower'): Ways {
  const table = free === 'upper' ? base64Characters : brokenBase64Characters
  if (freeBits === 0) return table[value] ?? []
  const key = `${free} ${freeBits} ${value}`
  const known = partialCharacters.get(key)
  if (known !== undefined) return known
  const indexes = Array.from({ length: 1 << freeBits }, (_, bits) =>
    free === 'lower' ? (value << freeBits) | bits : (bits << (6 - freeBits)) | value,
  )
  const ways = indexes.flatMap((index) => table[index] ?? [])
  partialCharacters.set(key, free === 'upper' ? withLineBreaks(ways) : ways)
  return partialCharacter(value, freeBits, free)
}

/**
 * Bytes in base64, which follow others there.
 *
 * @param preceding how many bytes of the group of three come before; what they are does not matter
 * @param ends whether nothing follows but padding
 */
function base64Form(bytes: Buffer, preceding: 0 | 1 | 2, ends: boolean): Form {
  // One bit after the other: the first ones share a character with the byte that comes before.
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const free = (preceding * 8) % 6
  const start = free === 0 ? 0 : 6 - free
  const parts: Ways[] = []
  for (let at = start; at < bits.length; at += 6) {
    const chunk = bits.slice(at, at + 6)
    const missing = 6 - chunk.length
    const value = Number.parseInt(chunk, 2)
    const [index, freeBits] = ends ? [value << missing, 0] : [value, missing]
    if (at === start) parts.push(base64Characters[index] ?? [])
    else parts.push(partialCharacter(index, freeBits, 'lower'))
  }
  parts.push(padding, padding)
  if (start === 0) return { parts }
  const first = Number.parseInt(bits.slice(0, start), 2)
  return { parts, before: partialCharacter(first, free, 'upper') }
}

function base64Forms(bytes: Buffer): Form[] {
  if (bytes.length < SHORTEST_IN_OTHER_FORMS) return [base64Form(bytes, 0, true)]
  return ([0, 1, 2] as const).map((before) => base64Form(bytes, before, false))
}

const zero = waysToWriteOnce('\0')

/** UTF-16 that is taken for UTF-8: for ASCII, a character of the value 0 after each one. */
function utf16Form(text: string): Form {
  const parts = Array.from(text).flatMap((character) => [zero, waysToWrite(character)])
  return { parts: parts.slice(1) }
}

/** Bytes as numbers, as dumps and printed buffers have them. */
function numberForms(bytes: Buffer): Form[] {
  if (bytes.length < SHORTEST_IN_OTHER_FORMS) return []
  const hexadecimal = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
  const decimal = Array.from(bytes, String)
  return [
    ...['', ' ', ':', '%', '\\x'].map((separator) => hexadecimal.join(separator)),
    ...[',', ', '].map((separator) => decimal.join(separator)),
  ].map((text) => ({ parts: [text], anyCase: true }))
}

function base32Bytes(text: string): Buffer {
  const bits = Array.from(text.toUpperCase(), (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * Every form in which servers and libraries show a secret: as it is, normalized otherwise (Unicode,
 * NFC and NFD), without what is not ASCII, in another case, escaped (see `waysToWrite`), in base64
 * at any offset of a longer text and over several lines, in hexadecimal and decimal bytes, as
 * UTF-16, and for a secret in base32 in groups of four and as the bytes that it stands for.
 */
export function secretForms(secret: string): Form[] {
  const isBase32 = BASE32.test(secret)
  const groups = isBase32 ? (secret.match(/.{1,4}/g) ?? []) : []
  const normalized = unique([secret, secret.normalize('NFC'), secret.normalize('NFD')])
  const escaped = [JSON.stringify(secret).slice(1, -1), percentEncoded(secret)]
  const bytes = [
    ...unique([...normalized, ...escaped]).map((text) => Buffer.from(text)),
    ...(isBase32 ? [base32Bytes(secret)] : []),
  ]
  const grouped = isBase32 ? [groups.join(' '), groups.join('-')] : []
  return [
    ...unique([...normalized, ...mangled(secret), ...grouped]).map(textForm),
    ...(secret.length < SHORTEST_IN_OTHER_FORMS ? [] : [utf16Form(secret)]),
    ...bytes.flatMap(base64Forms),
    ...bytes.flatMap(numberForms),
  ]
}

/** The text where what is not ASCII was lost, a character or a byte at a time. */
function mangled(text: string): string[] {
  if (text.length < SHORTEST_IN_OTHER_FORMS || /^[\0-\x7f]*$/.test(text)) return []
  return ['?', '\ufffd'].flatMap((mark) => [
    text.replace(/[^\0-\x7f]/gu, mark),
    text.replace(/[^\0-\x7f]/gu, (character) => mark.repeat(Buffer.byteLength(character))),
  ])
}

function percentEncoded(text: string): string {
  // What is half of a surrogate pair has no bytes of its own.
  return encodeURIComponent(Buffer.from(text).toString())
}

/** The base64 of `text` alone, in both alphabets, with padding and without. */
export function wholeBase64Form(text: string): Form {
  return base64Form(Buffer.from(text), 0, true)
}

/** A text as it is, in this case alone. */
export function literalForm(text: string): Form {
  return { parts: [text] }
}
