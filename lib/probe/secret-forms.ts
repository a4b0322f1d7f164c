import { levelsOf } from './unescape.ts'

/** Minimum length of a secret that does not occur by chance as a part of a word. */
export const MIN_DISTINCT_CHARS = 8
/** Minimum size of a secret that does not occur by chance in base64 or hexadecimal. */
const MIN_ENCODED_BYTES = 6

/** Base32 (RFC 4648, 6), the notation of one-time code secrets. */
const BASE32 = /^[A-Z2-7]{16,}$/i

/** Text that reveals a secret after the surrounding text is unescaped. */
export interface Form {
  text: string
  /** Length of the shortest prefix that reveals too much, in UTF-16 code units. */
  enough: number
  /** True for encoded bytes, which never are a part of a word or number. */
  isEncoded?: true
  /** True if the adjacent characters may hold bits of the secret too. */
  isBase64?: true
}

type Writer = (text: string) => string

const normalForms: readonly Writer[] = [
  (text) => text,
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
]

/** Conversions of a text that is not ASCII by programs that expect ASCII or Latin-1. */
const spellings: readonly Writer[] = [
  (text) => text,
  // One letter may become two.
  (text) => text.toUpperCase(),
  (text) => Buffer.from(text).toString('latin1'),
]
const undecodable: readonly Writer[] = ['?', '\ufffd'].flatMap((mark) => [
  (text: string) => text.replace(/[^\0-\x7f]/gu, mark),
  (text: string) =>
    text.replace(/[^\0-\x7f]/gu, (character) => mark.repeat(Buffer.byteLength(character))),
])

/** Texts whose bytes are encoded: base64 may contain JSON and URLs. */
const written: readonly Writer[] = [
  ...normalForms,
  (text) => JSON.stringify(text).slice(1, -1),
  // Half of a surrogate pair has no bytes.
  (text) => encodeURIComponent(Buffer.from(text).toString()),
]

const inGroups = (text: string, group: RegExp, separator: string) =>
  text.replace(group, `$&${separator}`)

/** Returns the base64 characters that hold no bits of preceding or following bytes. */
function base64Within(bytes: Buffer, preceding: number): string {
  const all = Buffer.concat([Buffer.alloc(preceding), bytes]).toString('base64')
  return all.slice(Math.ceil((preceding * 4) / 3), Math.floor(((preceding + bytes.length) * 4) / 3))
}

const forUrls: Writer = (base64) => base64.replaceAll('+', '-').replaceAll('/', '_')

function base32Bytes(text: string): Buffer {
  const bits = Array.from(text.toUpperCase(), (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the length of the common prefix of two texts. */
export function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

/**
 * Returns the encodings in which servers and libraries show a secret: unchanged, in other character
 * encodings, in base64 at any offset, in hexadecimal, and a base32 secret in groups and as its bytes.
 * Escapes in the secret itself are also undone.
 *
 * @param enough length of the shortest prefix that must not be shown either
 */
export function secretForms(secret: string, enough = secret.length): Form[] {
  const forms = new Map<string, Form>()
  const add = (text: string, beginning: string, more: Omit<Form, 'text' | 'enough'> = {}) => {
    if (forms.has(text)) return
    const shared = commonLength(text, beginning)
    forms.set(text, { text, enough: shared < SHORT_SECRET ? text.length : shared, ...more })
  }
  for (const { text, starts } of levelsOf(secret)) {
    const most = Math.min(enough, secret.length)
    const beginning = text.slice(0, starts?.findIndex((start) => start >= most) ?? most)
    const isAscii = /^[\0-\x7f]*$/.test(text)
    const marked = text.length < SHORT_SECRET ? [] : undecodable
    for (const normal of isAscii ? normalForms.slice(0, 1) : normalForms) {
      for (const spell of isAscii ? spellings.slice(0, 1) : [...spellings, ...marked]) {
        add(spell(normal(text)), spell(normal(beginning)))
      }
    }
  }
  const bytes = Buffer.from(secret)
  if (bytes.length < MIN_ENCODED_BYTES) {
    // A prefix of a short secret in base64 occurs by chance.
    const whole = bytes.toString('base64').replace(/=+$/, '')
    for (const text of [whole, forUrls(whole)]) add(text, text)
    return [...forms.values()]
  }
  const addBytes = (all: Buffer, beginning: Buffer) => {
    const [hex, start] = [all.toString('hex'), beginning.toString('hex')]
    add(hex, start, { isEncoded: true })
    add(inGroups(hex, /..(?=.)/g, ' '), inGroups(start, /..(?=.)/g, ' '), { isEncoded: true })
    for (const preceding of [0, 1, 2]) {
      const [text, start] = [base64Within(all, preceding), base64Within(beginning, preceding)]
      add(text, start, { isEncoded: true, isBase64: true })
      add(forUrls(text), forUrls(start), { isEncoded: true, isBase64: true })
    }
  }
  const beginning = secret.slice(0, enough)
  const sources = new Map(written.map((write) => [write(secret), write(beginning)]))
  for (const [text, start] of sources) addBytes(Buffer.from(text), Buffer.from(start))
  if (!BASE32.test(secret)) return [...forms.values()]
  for (const separator of [' ', '-']) {
    const grouped = (text: string) => inGroups(text, /.{4}(?=.)/g, separator)
    add(grouped(secret), grouped(beginning), { isEncoded: true })
  }
  addBytes(base32Bytes(secret), base32Bytes(beginning))
  return [...forms.values()]
}
