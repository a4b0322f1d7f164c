/** Finds secrets in a text, and replaces what was found. */
import { getOrCreate } from '../../text/group-by.ts'
import type { Placeholder } from '../exchange.ts'
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

/** A secret in its comparable form. */
interface ComparedSecret {
  secret: SearchedSecret
  compared: string
  /** Prefix that a match needs. */
  needed: string
  /** Number of what is found beside others: a word or not, and base64 or not. */
  kind: number
}

/** Returns true if a text goes on, but not with the unit of another text. */
const isOtherUnit = (text: string, at: number, other: string, otherAt: number) =>
  at < text.length && text.charCodeAt(at) !== other.charCodeAt(otherAt)

/** Returns the length of the match at a position; 0 for less than it needs, unless a truncated text ends. */
function matchedLength(
  { compared, needed }: ComparedSecret,
  text: string,
  at: number,
  isCut: boolean,
) {
  if (text.startsWith(compared, at)) return compared.length
  if (!text.startsWith(needed, at)) {
    const rest = text.length - at
    return isCut && rest < needed.length && needed.startsWith(text.slice(at)) ? rest : 0
  }
  let length = needed.length
  while (text.charCodeAt(at + length) === compared.charCodeAt(length)) length += 1
  return length
}

/** Returns a match in base64 with the adjacent characters, which may have bits of the secret. */
function withNeighbors(found: SecretMatch, text: string): SecretMatch {
  const { start, end } = found
  const before = /[\w+/-]/.test(text.charAt(start - 1)) ? 1 : 0
  const after = BASE64_AFTER.exec(text.slice(end, end + 3))?.[0].length ?? 0
  return { ...found, start: start - before, end: end + after }
}

/** UTF-16 code units that two matches of the same secret may share. */
const OVERLAP = 64

/** Searches each decoded layer of a text for all secrets. The time is linear in its length. */
export class SecretSearch {
  /** Secrets by the hash of their first four units. */
  readonly #secrets = new Map<number, ComparedSecret[]>()
  /** 1 for the hash of a secret. Small, because it is read for every unit of a text. */
  readonly #hashes = new Uint8Array(HASH_COUNT)
  /** Length of the longest prefix that a match requires, in UTF-16 code units. */
  maxPrefixChars = 0

  add(secret: SearchedSecret): void {
    const { text, minMatchLength } = secret
    if (minMatchLength < MIN_SEARCHED_CHARS) return
    const compared = toComparable(text)
    let hash = 0
    for (let at = 0; at < MIN_SEARCHED_CHARS; at += 1)
      hash = nextHash(hash, compared.charCodeAt(at))
    this.#hashes[hash] = 1
    const needed = compared.slice(0, minMatchLength)
    const kind = 1 + Number(secret.isWord) + 2 * Number(secret.isBase64 ?? false)
    getOrCreate(this.#secrets, hash, () => []).push({ secret, compared, needed, kind })
    this.maxPrefixChars = Math.max(this.maxPrefixChars, minMatchLength)
  }

  find(text: string, isCut = false): SecretMatch[] {
    return decodeLayers(text).flatMap(({ text: level, starts }) => {
      const found = this.#findIn(level, isCut)
      for (const match of starts === undefined ? [] : found) {
        match.start = starts?.[match.start] ?? match.start
        match.end = starts?.[match.end] ?? match.end
      }
      return found
    })
  }

  #findIn(text: string, isCut: boolean): SecretMatch[] {
    const all: SecretMatch[] = []
    const whole = toComparable(text)
    // Skips matches within a match: a periodic secret would match at each period.
    const reached = new Map<ComparedSecret, number>()
    let hash = 0
    for (let at = 0; at < whole.length; at += 1) {
      hash = nextHash(hash, whole.charCodeAt(at))
      if (this.#hashes[hash] === 0) continue
      const start = at - MIN_SEARCHED_CHARS + 1
      if (start < 0) continue
      // The longest match of each kind; few positions with the hash of a secret have one.
      let longest: Map<number, SecretMatch> | undefined
      for (const one of this.#secrets.get(hash) ?? []) {
        if (reached.size > 0 && start < (reached.get(one) ?? 0)) continue
        // Most of many secrets that begin alike end with the same prefix.
        const next = longest?.get(-one.kind)?.end ?? start
        if (next > start && isOtherUnit(one.compared, next - start, whole, next)) continue
        const length = matchedLength(one, whole, start, isCut)
        if (length === 0) continue
        const { secret, compared } = one
        const end = start + length
        if (length > OVERLAP) reached.set(one, end - OVERLAP)
        const isPrefix = length < compared.length && !(isCut && end === whole.length)
        const kind = isPrefix ? -one.kind : one.kind
        const known = longest?.get(kind)
        const isExact = (other: SearchedSecret) => text.startsWith(other.text, start)
        if (known && end < known.end) continue
        // The exact letter case precedes another one.
        if (known?.end === end && (isExact(known.secret) || !isExact(secret))) continue
        const found = { start, end, secret, isPrefix }
        if (!isSecret(found, text)) continue
        longest ??= new Map()
        longest.set(kind, found)
      }
      for (const found of longest?.values() ?? [])
        all.push(found.secret.isBase64 ? withNeighbors(found, text) : found)
    }
    return all
  }
}

export interface Replacement {
  start: number
  end: number
  shown: string
  /** Name of the secret; undefined for a text that stays. */
  name?: string
  /** Undefined for an earlier placeholder. */
  secret?: SearchedSecret
  isPrefix?: boolean
}

export type RedactedText = { text: string; placeholders: Pick<Placeholder, 'at' | 'name'>[] }

/**
 * Applies replacements. If two overlap, the first wins and the rest of the second is removed too. At the same
 * start, a whole secret precedes a prefix, and the exact letter case precedes another one.
 */
export function applyReplacements(text: string, found: Replacement[]): RedactedText {
  if (found.length === 0) return { text, placeholders: [] }
  const order = ({ isPrefix }: Replacement) => Number(isPrefix ?? false)
  const isAsAdded = ({ start, end, secret }: Replacement) =>
    Number(text.slice(start, end) === secret?.text)
  found.sort(
    (a, b) =>
      a.start - b.start || order(a) - order(b) || b.end - a.end || isAsAdded(b) - isAsAdded(a),
  )
  const placeholders: RedactedText['placeholders'] = []
  let result = ''
  let end = 0
  let last: Replacement | undefined
  for (const place of found) {
    const { secret, name, shown } = place
    if (place.start < end) {
      // A match that overlaps a text that stays is not a secret.
      if (place.end <= end || last?.secret === undefined || secret === undefined) continue
    } else {
      result += text.slice(end, place.start)
      last = undefined
    }
    if (name === undefined || name !== last?.name) {
      if (name !== undefined) placeholders.push({ at: result.length, name })
      result += shown
    }
    end = place.end
    last = place
  }
  return { text: result + text.slice(end), placeholders }
}
