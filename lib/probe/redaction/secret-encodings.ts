import { decodeLayers } from './unescape.ts'

/** Minimum length of a secret that does not occur by chance as a part of a word. */
export const MIN_DISTINCT_CHARS = 8
/** Minimum size of a secret that does not occur by chance in base64 or hexadecimal. */
const MIN_ENCODED_BYTES = 6

/** Base32 (RFC 4648, 6), the notation of one-time code secrets. */
const BASE32 = /^[A-Z2-7]{16,}$/i

/** Text that reveals a secret after the surrounding text is unescaped. */
export interface EncodedSecret {
  text: string
  /** Length of the shortest prefix that reveals too much, in UTF-16 code units. */
  minMatchLength: number
  /** True for encoded bytes, which never are a part of a word or number. */
  isEncoded?: true
  /** True if the adjacent characters may hold bits of the secret too. */
  isBase64?: true
}

type Converter = (text: string) => string

const same: Converter = (text) => text

const normalizers: readonly Converter[] = [
  same,
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
]

/** Conversions of a text that is not ASCII by programs that read UTF-8 as Latin-1, or change the letter case. */
const converters: readonly Converter[] = [
  same,
  // A letter may become two.
  (text) => text.toUpperCase(),
  (text) => Buffer.from(text).toString('latin1'),
]

/** Texts whose bytes are encoded: base64 may contain JSON and URLs. */
const notations: readonly Converter[] = [
  ...normalizers,
  (text) => JSON.stringify(text).slice(1, -1),
  // Half of a surrogate pair has no bytes.
  (text) => encodeURIComponent(Buffer.from(text).toString()),
]

/** Returns the base64 characters that hold no bits of preceding or following bytes. */
function innerBase64(bytes: Buffer, preceding: number): string {
  const all = Buffer.concat([Buffer.alloc(preceding), bytes]).toString('base64')
  return all.slice(Math.ceil((preceding * 4) / 3), Math.floor(((preceding + bytes.length) * 4) / 3))
}

const toBase64Url: Converter = (base64) => base64.replaceAll('+', '-').replaceAll('/', '_')

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text.toUpperCase(), (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export function commonPrefixLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/**
 * Returns the encodings in which servers and libraries show a secret: unchanged, in other character
 * encodings, in base64 at any offset, in hexadecimal, and a base32 secret in groups and as its bytes.
 * Escapes in the secret itself are also undone.
 */
export function encodeSecret(secret: string, minMatchLength = secret.length): EncodedSecret[] {
  const encodings = new Map<string, EncodedSecret>()
  const add = (
    text: string,
    prefix: string,
    more: Omit<EncodedSecret, 'text' | 'minMatchLength'> = {},
  ) => {
    if (encodings.has(text)) return
    const shared = commonPrefixLength(text, prefix)
    const length = shared < MIN_DISTINCT_CHARS ? text.length : shared
    encodings.set(text, { text, minMatchLength: length, ...more })
  }
  for (const { text, starts } of decodeLayers(secret)) {
    const limit = Math.min(minMatchLength, secret.length)
    const prefix = text.slice(0, starts?.findIndex((start) => start >= limit) ?? limit)
    const isAscii = /^[\0-\x7f]*$/.test(text)
    for (const normalize of isAscii ? [same] : normalizers) {
      for (const convert of isAscii ? [same] : converters) {
        add(convert(normalize(text)), convert(normalize(prefix)))
      }
    }
  }
  const bytes = Buffer.from(secret)
  if (bytes.length < MIN_ENCODED_BYTES) {
    // A prefix of a short secret in base64 occurs by chance.
    const whole = bytes.toString('base64').replace(/=+$/, '')
    for (const text of [whole, toBase64Url(whole)]) add(text, text)
    return [...encodings.values()]
  }
  const addBytes = (all: Buffer, prefix: Buffer) => {
    const addEncoded = (encode: (bytes: Buffer) => string, isBase64?: true) =>
      add(encode(all), encode(prefix), { isEncoded: true, ...(isBase64 && { isBase64 }) })
    addEncoded((some) => some.toString('hex'))
    for (const preceding of [0, 1, 2]) {
      addEncoded((some) => innerBase64(some, preceding), true)
      addEncoded((some) => toBase64Url(innerBase64(some, preceding)), true)
    }
  }
  const prefix = secret.slice(0, minMatchLength)
  const sources = new Map(notations.map((convert) => [convert(secret), convert(prefix)]))
  for (const [text, head] of sources) addBytes(Buffer.from(text), Buffer.from(head))
  if (!BASE32.test(secret)) return [...encodings.values()]
  for (const separator of [' ', '-']) {
    const group = (text: string) => text.replace(/.{4}(?=.)/g, `$&${separator}`)
    add(group(secret), group(prefix), { isEncoded: true })
  }
  addBytes(decodeBase32(secret), decodeBase32(prefix))
  return [...encodings.values()]
}
