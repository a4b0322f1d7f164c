import type { EncodedSecret } from './secret-encodings.ts'
import { decodeLayers } from './unescape.ts'

export interface SearchedSecret extends EncodedSecret {
  name: string
  /** True if it counts only as a whole word, not within a name or path. */
  needsBoundary: boolean
  /** True if it may be a word of Plumbline's messages. */
  isWord: boolean
}

/** An occurrence of an encoded secret in a text. Matches may overlap. */
interface SecretMatch {
  start: number
  end: number
  secret: SearchedSecret
  /** True if the text contains only a prefix of the secret. */
  isPrefix: boolean
}

/** Minimum length of a secret: shorter ones occur in every text. */
export const MIN_SEARCHED_CHARS = 4

const CONTINUES_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const CONTINUES_AFTER = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

const BASE64_AFTER = /^[\w+/-]?={0,2}/

/** A prefix of a pass phrase, which may also be ordinary text. */
const WORDS_ONLY = /^[\p{L}\p{M}\s._/-]+$/u

/** Returns true if a match is the secret, not a part of a longer word or number. */
function isSecret({ secret, start, end, isPrefix }: SecretMatch, text: string): boolean {
  if (secret.isBase64) {
    // Base64 is case-sensitive.
    return text.startsWith(
      secret.text.slice(0, Math.min(secret.minMatchLength, end - start)),
      start,
    )
  }
  if (secret.isEncoded) return true
  const [before, after] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  const matched = isPrefix ? text.slice(start, end) : secret.text
  if ((isPrefix && WORDS_ONLY.test(matched)) || secret.needsBoundary) {
    return !CONTINUES_BEFORE.test(before) && !CONTINUES_AFTER.test(after)
  }
  // A numeric secret counts only if no other digit is next to it.
  return !/^\d+$/.test(matched) || (!/\d$/.test(before) && !/^\d/.test(after))
}

/** Returns a text in lower case, with a space for each `+`, as in URL-encoded forms. */
function toComparable(text: string): string {
  // The only letter that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' ')
}

const HASH_COUNT = 1 << 16

function nextHash(hash: number, unit: number): number {
  return ((hash << 4) ^ (unit & 0xff)) & (HASH_COUNT - 1)
}

/** A secret in comparable form, and its shortest prefix that is a match. */
interface Entry {
  secret: SearchedSecret
  compared: string
  prefix: string
}

/**
 * Returns the end of the longest prefix of a secret at `start`, or the end of a truncated text within it;
 * -1 if the prefix is too short.
 */
function findEnd({ compared, prefix }: Entry, text: string, start: number, isCut: boolean): number {
  if (text.length - start < prefix.length) {
    return isCut && prefix.startsWith(text.slice(start)) ? text.length : -1
  }
  if (!text.startsWith(prefix, start)) return -1
  const maxEnd = Math.min(start + compared.length, text.length)
  let end = start + prefix.length
  while (end < maxEnd && text.charCodeAt(end) === compared.charCodeAt(end - start)) end += 1
  return end
}

/** UTF-16 code units that two matches of the same secret may share. */
const OVERLAP = 64

/** Searches each decoded layer of a text for all secrets, in time linear in its length. */
export class SecretSearch {
  /** Entries by the hash of their first four units. */
  readonly #entries = new Map<number, Entry[]>()
  /** 1 for the hash of an entry. Small, because it is read for every unit of a text. */
  readonly #hashes = new Uint8Array(HASH_COUNT)
  /** Length of the longest prefix that a match requires, in UTF-16 code units. */
  maxPrefixChars = 0

  add(secret: SearchedSecret): void {
    const { text, minMatchLength } = secret
    const [compared, prefix] = [toComparable(text), toComparable(text.slice(0, minMatchLength))]
    if (prefix.length < MIN_SEARCHED_CHARS) return
    let hash = 0
    for (let at = 0; at < MIN_SEARCHED_CHARS; at += 1)
      hash = nextHash(hash, compared.charCodeAt(at))
    this.#hashes[hash] = 1
    const others = this.#entries.get(hash) ?? []
    this.#entries.set(hash, others)
    others.push({ secret, compared, prefix })
    this.maxPrefixChars = Math.max(this.maxPrefixChars, minMatchLength)
  }

  find(text: string, isCut = false): SecretMatch[] {
    return decodeLayers(text).flatMap(({ text: level, starts }) => {
      const found = this.#findIn(level, isCut)
      if (starts === undefined) return found
      return found.map(({ start, end, ...rest }) => {
        return { ...rest, start: starts[start] ?? start, end: starts[end] ?? end }
      })
    })
  }

  #findIn(text: string, isCut: boolean): SecretMatch[] {
    const all: SecretMatch[] = []
    const whole = toComparable(text)
    // Skips matches within a match: a periodic secret would match at each period.
    const reached = new Map<SearchedSecret, number>()
    let hash = 0
    for (let at = 0; at < whole.length; at += 1) {
      hash = nextHash(hash, whole.charCodeAt(at))
      if (this.#hashes[hash] === 0) continue
      const start = at - MIN_SEARCHED_CHARS + 1
      for (const entry of this.#entries.get(hash) ?? []) {
        const { secret, compared } = entry
        if (start < (reached.get(secret) ?? 0)) continue
        const end = findEnd(entry, whole, start, isCut)
        if (end < 0) continue
        reached.set(secret, end - OVERLAP)
        const isAtEnd = isCut && end === text.length
        const found = { start, end, secret, isPrefix: end - start < compared.length && !isAtEnd }
        if (!isSecret(found, text)) continue
        all.push(found)
        if (!secret.isBase64) continue
        if (/[\w+/-]/.test(text.charAt(start - 1))) found.start -= 1
        found.end += BASE64_AFTER.exec(text.slice(end, end + 3))?.[0].length ?? 0
      }
    }
    return all
  }
}
